"""OpenDocument spreadsheets, written cell by cell."""

import datetime

import pandas as pd

from tests.hostile.mutation import zipped

ODS_MIME = b"application/vnd.oasis.opendocument.spreadsheet"


ODS_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)


def ods_of(rows: str) -> bytes:
    """A workbook of one sheet, from the XML of its rows."""
    content = (
        f'<?xml version="1.0"?><office:document-content {ODS_NAMES}><office:body><office:spreadsheet>'
        f'<table:table table:name="Sheet1">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{ODS_MIME.decode()}"/></manifest:manifest>'
    )
    return zipped({"mimetype": ODS_MIME, "content.xml": content.encode(), "META-INF/manifest.xml": manifest.encode()})


def ods_cell(value: object) -> str:
    if isinstance(value, datetime.datetime):
        return f'<table:table-cell office:value-type="date" office:date-value="{value.isoformat()}"/>'
    if isinstance(value, str):
        text = value.replace("&", "&amp;").replace("<", "&lt;")
        return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
    if pd.isna(value):
        return "<table:table-cell/>"
    return f'<table:table-cell office:value-type="float" office:value="{float(value)}"/>'
