"""The version of the program, for what it writes."""

VERSION = "0.1.0"
