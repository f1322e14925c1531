"""Tables that do not fit in memory: sources that count whole frontiers of nodes, and growing on them.

A source knows its columns' values and answers with tallies (`engine.search.tally`): how the target is distributed over
the values of a column at every node of a frontier. Nothing above knows where the counts came from, so the same rows
give the same tree from memory, from a folder of codes and from a database.
"""
