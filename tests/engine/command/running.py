"""The program as a person starts it, in this process."""

import re

import main

FAR = re.compile(r"^note    .*, \d+ % done\n", re.MULTILINE)  # said where a machine is slow
COMPILING = "note    compiling what this needs, once: up to a minute\n"  # said by the first test that needs a kernel


def run(capsys, *arguments):
    """(exit code, what was printed, what was complained about)."""
    code = main.main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return code, printed.out, FAR.sub("", printed.err.removeprefix(COMPILING))
