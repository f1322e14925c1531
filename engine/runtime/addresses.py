"""How addresses of tables are written: FILE::TABLE, URL::TABLE, a table being NAME or SCHEMA.NAME.

A name that has a dot, a colon or “@” stands in double quotes, of which two stand for one, as in SQL.
"""

import re
from urllib.parse import quote, unquote, urlsplit

URL = re.compile(r"[a-z][a-z0-9+]+://", re.IGNORECASE)
DRIVE = re.compile(r"/(?=[a-z]:)", re.IGNORECASE)  # in a URL it stands before the drive of Windows
PLAIN, QUOTED = r'[^".:][^.:]*', r'"(?:[^"]|"")+"'
TABLE = rf"(?:{QUOTED}|{PLAIN})(?:\.(?:{QUOTED}|{PLAIN}))*"
FILE = re.compile(r"(?:sqlite|duckdb)://(?!md:|motherduck:|:memory:|[?#]|$)", re.IGNORECASE)
BEFORE_HOST = re.compile('@[^/:?#"]*([/:?#]|$)')  # “@” that may end a password: no host has a quotation mark
SECRET = r"(pass(?!file)|pwd|secret|token|credential|auth|(?<!ssl)key|signature)[^=]*"
SECRET_NAME, SECRET_VALUE = (re.compile(text, re.IGNORECASE) for text in (SECRET, SECRET + "=|:.*@"))


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
    is_plain = (re.fullmatch(PLAIN, name) and "@" not in name for name in names)
    pairs = zip(names, is_plain, strict=True)
    return ".".join(name if plain else '"' + name.replace('"', '""') + '"' for name, plain in pairs)


def file_of(url: str) -> str:
    """The file in the URL of a database that is one."""
    parts = urlsplit(url)
    return DRIVE.sub("", parts.netloc + parts.path, count=1)


def is_file(url: str) -> bool:
    """Whether a database is a file of this computer, which wants no password."""
    return bool(FILE.match(url))


def url_of_file(scheme: str, path: str) -> str:
    """The URL of a database in a file; `path`: absolute, with "/" between its folders."""
    return f"{scheme}://{path if path.startswith('/') else '/' + path}"


def with_password(url: str, password: str) -> str:
    """The URL of a database with this password in the place of its own, if it has one; every sign of it is escaped."""
    scheme, mark, rest = url.partition("://")
    host = re.split("[/?#]", rest, maxsplit=1)[0]
    user, _, place = host.rpartition("@")
    return f"{scheme}{mark}{user.partition(':')[0]}:{quote(password, safe='')}@{place}{rest[len(host) :]}"


def without_password(address: str) -> str:
    """An address that was opened, without what is secret in it: the password, and of what is behind "?" all that may be
    one or holds one. Signs of a password that ought to be escaped may make it look like a path or a query; where that
    cannot be told, the name before the first of them is all that is left."""
    url, table = place_and_table(address)
    scheme, mark, rest = url.partition("://")
    if not mark:
        return address
    behind = f"{'::' * bool(table)}{table}"
    host, name = re.split("[/?#]", rest, maxsplit=1)[0], re.split("[:/?#@]", rest, maxsplit=1)[0]
    if host and ":" in rest and "@" not in rest and BEFORE_HOST.search(table):  # which may be the end of a password
        return f"{scheme}://{name}"
    before, at, after = rest.rpartition("@")
    if host and ":" in before and "@" in rest[len(host) :]:
        is_query = re.search(r"\?[^@]*=", before) is not None
        if is_query and (":" in host or "@" in host):
            return f"{scheme}://{name}{behind}"
        if not is_query:
            return f"{scheme}://{name}@{_without_secrets(after)}{behind}"
    user, at, own = host.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{_without_secrets(own + rest[len(host) :])}{behind}"


def _without_secrets(place: str) -> str:
    """Host, path and query without what may be secret in the query."""
    path, _, query = place.partition("#")[0].partition("?")
    kept = "&".join(pair for pair in re.split("[&;]", query) if not _is_secret(pair))
    return f"{path}{'?' * bool(kept)}{kept}"


def _is_secret(pair: str) -> bool:
    """Whether a part of a query may hold a password; one without a name might be the end of one."""
    name, equals, value = (unquote(text) for text in pair.partition("="))
    return not (name and equals) or bool(SECRET_NAME.search(name) or SECRET_VALUE.search(value))
