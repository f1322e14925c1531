"""How addresses of tables are written: FILE::TABLE, URL::TABLE, a table being NAME or SCHEMA.NAME.

A name that has a dot or a colon stands in double quotes, of which two stand for one, as in SQL.
"""

import re
from urllib.parse import unquote, urlsplit

URL = re.compile(r"[a-z][a-z0-9+]+://", re.IGNORECASE)
DRIVE = re.compile(r"/(?=[a-z]:)", re.IGNORECASE)  # in a URL it stands before the drive of Windows
PLAIN, QUOTED = r'[^".:][^.:]*', r'"(?:[^"]|"")+"'
TABLE = rf"(?:{QUOTED}|{PLAIN})(?:\.(?:{QUOTED}|{PLAIN}))*"
SECRET = r"(pass(?!file)|pwd|secret|token|credential|auth|(?<!ssl)key|signature)[^=]*"
SECRET_NAME, SECRET_VALUE = (re.compile(text, re.IGNORECASE) for text in (SECRET, SECRET + "=|://[^/]*@"))


def place_and_table(address: str) -> tuple[str, str]:
    """What is before the "::" of an address, and the table behind it; empty where there is none."""
    found = re.fullmatch(rf"(.*?)::({TABLE})", address, re.DOTALL)
    if found is not None:
        return found[1], found[2]
    place, _, table = address.rpartition("::")
    return (place, table) if place else (address, "")


def names_of(table: str) -> tuple[str, ...]:
    """The names of which the table of an address consists, schema first."""
    if not re.fullmatch(TABLE, table):
        return tuple(table.split("."))
    found = re.findall(f"{QUOTED}|{PLAIN}", table)
    return tuple(name[1:-1].replace('""', '"') if name.startswith('"') else name for name in found)


def table_of(*names: str) -> str:
    """The table of an address that has these names."""
    return ".".join(name if re.fullmatch(PLAIN, name) else '"' + name.replace('"', '""') + '"' for name in names)


def file_of(url: str) -> str:
    """The file in the URL of a database that is one."""
    parts = urlsplit(url)
    return DRIVE.sub("", parts.netloc + parts.path, count=1)


def url_of_file(scheme: str, path: str) -> str:
    """The URL of a database in a file; `path`: absolute, with "/" between its folders."""
    return f"{scheme}://{path if path.startswith('/') else '/' + path}"


def without_password(address: str) -> str:
    """An address that was opened, without what is secret in it: the password, and of what is behind "?" all that may be
    one or holds one."""
    url, table = place_and_table(address)
    scheme, mark, rest = url.partition("://")
    if not mark:
        return address
    parts = urlsplit(f"//{rest}")
    user, at, host = parts.netloc.rpartition("@")
    query = "&".join(pair for pair in re.split("[&;]", parts.query) if not _is_secret(pair))
    behind = f"{'?' * bool(query)}{query}{'::' * bool(table)}{table}"
    return f"{scheme}://{user.partition(':')[0]}{at}{host}{parts.path}{behind}"


def _is_secret(pair: str) -> bool:
    """Whether a part of a query may hold a password; one without a name might be the end of one."""
    name, equals, value = (unquote(text) for text in pair.partition("="))
    return not (name and equals) or bool(SECRET_NAME.search(name) or SECRET_VALUE.search(value))
