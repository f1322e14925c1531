"""Attacks: damaged and malicious files, settings and caches, hostile names and levels.

Every outcome is a table, a tree or a sentence, in bounded time and memory, with the process alive, and nothing that a
file, a name or a level says is run or becomes markup. A few hundred cases run always, ten thousand with `--full`.
"""
