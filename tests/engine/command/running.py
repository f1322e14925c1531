"""The program as a person starts it, in this process."""

import main


def run(capsys, *arguments):
    """(exit code, what was printed, what was complained about)."""
    code = main.main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err
