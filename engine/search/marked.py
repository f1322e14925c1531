"""What the search of a node sees by the marks at and above it: fewer columns, or another criterion."""

from engine.runtime.errors import InputError
from engine.search.options import Search
from engine.table.table import Table
from engine.tree.marks import SearchWay, criterion_at, excluded_at
from engine.tree.tree import Tree


def search_as(tree: Tree, search: Search, way: SearchWay) -> Search:
    """The search by the criterion that marks say, if they do.

    Raises:
        InputError: the criterion does not go with the other options.
    """
    if not way.criterion:
        return search
    try:
        return Search.make(tree.task, **{**search.to_dict(), "criterion": way.criterion})
    except InputError as error:
        node = next(node for node, mark in tree.marks.items() if mark.criterion == way.criterion)
        raise InputError(f"Node {node} is searched by {way.criterion}, but {error}") from error


def at_node(table: Table, tree: Tree, node: int, search: Search) -> tuple[Table, Search]:
    """What the search of one node sees: the table without the columns that marks leave out, and the criterion.

    Raises:
        InputError: as `search_as`.
    """
    way = SearchWay(frozenset(excluded_at(tree, node)), criterion_at(tree, node))
    return table.without(way.excluded), search_as(tree, search, way)


def left_out(table: Table, tree: Tree, node: int) -> list[tuple[str, str]]:
    """(name, why it is not searched) of the columns that marks leave out at a node, in the order of the table."""
    excluded = excluded_at(tree, node)
    names = [table.columns[i].name for i in table.features if table.columns[i].name in excluded]
    return [(name, f"left out below node {excluded[name]}") for name in names]
