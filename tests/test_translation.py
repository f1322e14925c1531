"""What a person reads can be translated, and is: the catalogues hold every text, and no sentence goes around them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from gui.language import ENGLISH, FOLDER, LANGUAGES
from tests import catalogue
from tests.house import ROOT

OTHERS = [code for code in LANGUAGES if code != ENGLISH]


def places(text: str) -> list[str]:
    """The names of the places to be filled in, each once."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def marks(text: str) -> int:
    """How many letters are underlined."""
    return len(re.findall(r"&(?=\S)(?!&)", text))


# -- the catalogues


@pytest.fixture(params=OTHERS)
def known(request) -> dict[str, str]:
    return catalogue.translations(FOLDER / f"espalier_{request.param}.ts")


def test_a_catalogue_holds_what_is_said_and_nothing_else(known):
    said = catalogue.texts()
    assert (sorted(said - set(known)), sorted(set(known) - said)) == ([], []), "run python -m tests.catalogue"


def test_everything_is_translated(known):
    assert [text for text, translation in known.items() if not translation] == []


def test_translations_keep_places_marks_and_spaces(known):
    for text, translation in known.items():
        if translation:
            assert places(translation) == places(text), (text, translation)
            assert marks(translation) == marks(text), (text, translation)
            ends = [
                (each[: len(each) - len(each.lstrip())], each[len(each.rstrip()) :]) for each in (text, translation)
            ]
            assert ends[0] == ends[1], (text, translation)
            assert translation.endswith("…") == text.endswith("…"), (text, translation)
            assert len(re.findall("[“”„]", translation)) == len(re.findall("[“”„]", text)), (text, translation)


@pytest.mark.parametrize("code", OTHERS)
def test_what_the_window_loads_is_up_to_date(tmp_path, code):
    path = FOLDER / f"espalier_{code}.ts"
    catalogue.release(path, tmp_path / "again.qm")
    assert (tmp_path / "again.qm").read_bytes() == path.with_suffix(".qm").read_bytes(), "run python -m tests.catalogue"


def test_what_is_said_is_written_so_that_it_can_be_collected():
    """A literal, or a name or attribute of a text that was marked where it is declared; no f-string, no method call."""
    wrong = []
    for path in catalogue.sources():
        tree = ast.parse(path.read_text("utf-8"))
        within = (call for text in ast.walk(tree) if isinstance(text, ast.JoinedStr) for call in catalogue.calls(text))
        wrong += [f"{path.relative_to(ROOT)}:{call.lineno}  lupdate finds nothing in an f-string" for call in within
                  if isinstance(call.args[0], ast.Constant)]  # fmt: skip
        for call in catalogue.calls(tree):
            what = call.args[0] if call.args else None
            literal = isinstance(what, ast.Constant) and isinstance(what.value, str)
            later = isinstance(what, ast.Name | ast.Attribute | ast.Subscript) and call.func.id == "tr"  # type: ignore
            if not literal and not later:
                wrong.append(f"{path.relative_to(ROOT)}:{call.lineno}  {ast.unparse(call)[:80]}")
            elif literal and isinstance(call.func, ast.Name) and call.func.id == "tr":
                named = sorted(key.arg for key in call.keywords if key.arg)
                starred = any(key.arg is None for key in call.keywords)
                if not starred and call.keywords and named != places(what.value):  # type: ignore
                    wrong.append(f"{path.relative_to(ROOT)}:{call.lineno}  {named} for {what.value!r}")  # type: ignore
    assert not wrong, "\n".join(wrong)


def test_nothing_is_said_before_the_language_is_known():
    """While a module is imported, texts are only marked; the values of default arguments are made then, too."""
    wrong = []

    def visit(node: ast.AST, path: Path) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.Lambda):
                for default in (*child.args.defaults, *filter(None, child.args.kw_defaults)):
                    visit(default, path)
                continue  # what it does, it does later
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "tr":
                wrong.append(f"{path.relative_to(ROOT)}:{child.lineno}")
            visit(child, path)

    for path in catalogue.sources():
        visit(ast.parse(path.read_text("utf-8")), path)
    assert not wrong, "\n".join(wrong)


# -- escaping sentences

SHOWN_BY = {  # what shows its text to a person, method or class
    "setText", "setToolTip", "setWindowTitle", "setStatusTip", "setPlaceholderText", "setAccessibleName",
    "setAccessibleDescription", "setWhatsThis", "setTitle", "setIconText", "setHeaderLabels", "setSpecialValueText",
    "setSuffix", "setPrefix", "setLabelText", "setInformativeText", "QLabel", "QPushButton", "QAction", "QCheckBox",
    "QRadioButton", "QGroupBox", "QMenu", "addTab", "addAction", "addItem", "addMenu", "addButton", "addRow",
    "setLabel", "setTabText", "label", "warning", "info", "tell", "of_step", "of_program", "offer",
    "showMessage",
}  # fmt: skip
UNSEEN_BY = {  # what a person never reads, or reads as a name: called with a text
    "Formatter", "setObjectName", "setStyleSheet", "findChild", "findChildren", "setProperty", "compile", "sub",
    "search", "match", "fullmatch", "findall", "split", "finditer", "getLogger", "debug", "exception", "log",
    "strftime", "getattr", "TypeVar", "cast", "QFont", "setFamily", "fromString", "listFromString", "QKeySequence",
    "QShortcut", "Path", "exit", "import_module", "property", "encode", "QSvgRenderer", "print", "partition",
    "rpartition", "startswith", "endswith", "removeprefix", "removesuffix", "replace", "index", "find", "count",
    "Literal", "NewType", "namedtuple", "perf",
}  # fmt: skip
UNSEEN_AS = {"objectName", "key", "name", "object_name", "styleSheet"}  # … and the arguments
PROGRAMMING = {"ValueError", "KeyError", "TypeError", "AssertionError", "RuntimeError", "NotImplementedError",
               "LookupError", "AttributeError"}  # fmt: skip
LANGUAGE_OF_CONDITIONS = re.compile(r"\W*(and|or|in|not|is|missing|of|m|n| )*\W*", re.ASCII)
MARKUP = re.compile(r"<[^<>]*>|&\w+;|\{[^{}]*\}")

# file: texts (by how they begin) that may stay, each with its reason
ALLOWED: dict[str, dict[str, str]] = {
    "gui/dialogs/help_dialogs.py": {"Espalier {}": "versions, for whoever reads the report"},
    "gui/dialogs/import_dialog.py": {"Windows (cp1252)": "the name of an encoding"},
    "gui/panels/judge/leaves.py": {"share: {}": "a column of the leaf report"},
    "gui/panels/prune/drawing.py": {"pruning metric": "the key of a job"},
    "gui/panels/this_node/split/editor.py": {"color: ": "a style sheet"},
    "engine/splits/typed.py": {"“age <= 30” or": "the language of conditions"},
    "gui/panels/replay/panel.py": {"style=": "markup"},
    "gui/panels/this_node/why/words.py": {"style=": "markup", "{} · log₂": "a formula"},
    "gui/panels/words/rows.py": {"age > 40 and": "a query of pandas", "city in": "a query of pandas"},
    "gui/picture/matching.py": {"any other": "the language of conditions"},
    "gui/picture/paper/picture.py": {"width=": "markup"},
    "gui/qt_loading.py": {"apt-get": "a command of the system"},
    "gui/theme.py": {"Liberation Sans": "the name of a family of letters"},
}


def called(node: ast.AST) -> str:
    """The last name of what is called."""
    func = node.func if isinstance(node, ast.Call) else node
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def said_in(node: ast.AST) -> str | None:
    """The text of a constant, or what an f-string holds beside its places; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def looks_like_words(text: str, shown: bool) -> bool:
    """Whether a text is a sentence or a label: letters and a space; in what shows it, letters alone."""
    bare = MARKUP.sub("", re.sub(r"\*\.\w+", "", text).replace("Espalier", ""))  # names are no words
    if LANGUAGE_OF_CONDITIONS.fullmatch(bare) or re.search(r"[{;]\s*$|:\s*\S+;", text):  # conditions; style sheets
        return False
    word = re.search(r"[^\W\d_]{2}", bare)
    return bool(word and (shown or re.search(r"[^\W\d_]{2}\S* +\S*[^\W\d_]|[^\W\d_] +\S*[^\W\d_]{2}", bare)
                          or re.search(r"\{\}.? +[^\W\d_]{2}|[^\W\d_]{2}.? \{\}", text)))  # fmt: skip


def escaping(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of what a person may read untranslated in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                skipped.add(id(first.value))  # a docstring
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            skipped.update(id(each) for each in ast.walk(node.annotation))
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            skipped.update(id(each) for each in ast.walk(node.returns))

    def visit(node: ast.AST, shown: bool) -> Iterator[tuple[int, str]]:
        if id(node) in skipped or isinstance(node, ast.Assert):
            return
        if isinstance(node, ast.Raise) and node.exc is not None and called(node.exc) in PROGRAMMING:
            return
        text = said_in(node)
        if text is not None:
            if looks_like_words(text, shown):
                yield getattr(node, "lineno", 0), text
            if isinstance(node, ast.JoinedStr):
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        yield from visit(part.value, False)
            return
        if isinstance(node, ast.Call):
            name = called(node)
            if name in catalogue.SAID:
                for keyword in node.keywords:
                    yield from visit(keyword.value, False)
                return
            yield from visit(node.func, False)
            if name in UNSEEN_BY or (isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "log"):
                return
            for k, argument in enumerate(node.args):
                yield from visit(argument, name in SHOWN_BY and k == 0)
            for keyword in node.keywords:
                if keyword.arg not in UNSEEN_AS:
                    yield from visit(keyword.value, False)
            return
        if isinstance(node, ast.Compare | ast.Subscript):  # keys and names
            for child in ast.iter_child_nodes(node):
                if said_in(child) is None:
                    yield from visit(child, False)
            return
        if isinstance(node, ast.Dict):
            for child in (*(key for key in node.keys if key is not None and said_in(key) is None), *node.values):
                yield from visit(child, False)
            return
        for child in ast.iter_child_nodes(node):
            yield from visit(child, shown and isinstance(node, ast.IfExp | ast.BoolOp))

    yield from visit(tree, False)


@pytest.mark.parametrize(
    "room", sorted({path.relative_to(ROOT / "gui").parts[0] for path in (ROOT / "gui").rglob("*.py")})
)
def test_no_sentence_escapes(room):
    found = []
    for path in catalogue.sources():
        name = str(path.relative_to(ROOT))
        if not f"{name}/".startswith(f"gui/{room}/"):
            continue
        allowed = ALLOWED.get(name, {})
        found += [f"{name}:{line}  {text[:90]!r}" for line, text in escaping(path)
                  if not any(text.startswith(each) for each in allowed)]  # fmt: skip
    assert not found, f"{len(found)} texts go around tr():\n" + "\n".join(found)


ESCAPING = """
def f(a):
    'A docstring here.'
    a.setText("Go")
    a.setObjectName("two words")
    b = f"{a} rows left"
    if not b:
        raise ValueError("no such thing")
    return tr("Translated text here") + "not translated"
"""


def test_what_escapes_is_found(tmp_path):
    path = tmp_path / "escaping.py"
    path.write_text(ESCAPING, "utf-8")
    assert [text for _, text in escaping(path)] == ["Go", "{} rows left", "not translated"]
