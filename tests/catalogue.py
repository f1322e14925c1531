"""`python -m tests.catalogue`: collects what is said in the program, and makes the catalogues of its languages.

Qt's own tools do the work: `lupdate` reads the literals of `tr` and `marked` into `resources/translations/*.ts`, which
a translator edits (by Qt Linguist, or in any editor), and `lrelease` makes of it what the window loads. Both are
committed, so nobody needs the tools to run the program.
"""

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from xml.etree import ElementTree

from gui.language import ENGLISH, FOLDER, LANGUAGES
from tests.house import ROOT

SAID = ("tr", "marked")  # the functions whose argument is said


def sources() -> list[Path]:
    """The files of the program in which something may be said."""
    return [*sorted((ROOT / "gui").rglob("*.py")), *sorted((ROOT / "engine").rglob("*.py")), ROOT / "main.py"]


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls of `tr` and `marked` by their own names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID:
            yield node


def on_cards() -> list[str]:
    """What the cards of the examples say: names and sentences that stand beside their data."""
    listed = json.loads((ROOT / "resources" / "examples" / "examples.json").read_text("utf-8"))
    return [entry[key] for entry in listed for key in ("title", "description")]


def texts() -> set[str]:
    """All literals that are said, as Python reads them, and what cards say."""
    found = set(on_cards())
    for path in sources():
        for call in calls(ast.parse(path.read_text("utf-8"))):
            if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
                found.add(call.args[0].value)
    return found


def translations(path: Path) -> dict[str, str]:
    """What a .ts file holds: each text and its translation, empty where it is not finished."""
    found = {}
    for message in ElementTree.parse(path).getroot().iter("message"):
        translation = message.find("translation")
        finished = translation is not None and translation.get("type") is None
        found[message.findtext("source", "")] = (translation.text or "") if finished and translation is not None else ""
    return found


def translate(path: Path, by: dict[str, str]) -> int:
    """Writes translations into a .ts file, and returns how many; what is not among its texts is left out."""
    tree = ElementTree.parse(path)
    changed = 0
    for message in tree.getroot().iter("message"):
        translation, text = message.find("translation"), by.get(message.findtext("source", ""))
        if text and translation is not None:
            translation.text = text
            translation.attrib.pop("type", None)
            changed += 1
    body = ElementTree.tostring(tree.getroot(), encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', "utf-8")
    return changed


def collect(path: Path, code: str) -> None:
    """Brings the texts of a .ts file up to date; translations stay with their texts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files = [str(each.relative_to(ROOT)) for each in sources()]
    with NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as cards:  # lupdate reads no JSON
        cards.writelines(f"marked({json.dumps(text, ensure_ascii=False)})\n" for text in on_cards())
        cards.flush()
        run("lupdate", "-tr-function-alias", "QT_TR_NOOP+=marked", "-locations", "none", "-no-obsolete",
            "-source-language", "en", "-target-language", code, *files, cards.name, "-ts", str(path))  # fmt: skip


def release(path: Path, made: Path) -> None:
    """Makes what the window loads."""
    run("lrelease", str(path), "-qm", str(made))


def run(tool: str, *arguments: str) -> None:
    program = Path(sys.executable).with_name(f"pyside6-{tool}")
    done = subprocess.run([str(program), *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{tool} failed:\n{done.stdout}{done.stderr}")


def main(arguments: list[str] | None = None) -> int:
    words = argparse.ArgumentParser(prog="python -m tests.catalogue", description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--language", default="de", choices=[code for code in LANGUAGES if code != ENGLISH])
    words.add_argument("--untranslated", metavar="FILE", help="write the texts without a translation as a JSON list")
    words.add_argument("--translate", metavar="FILE", help="take translations from a JSON object {text: translation}")
    chosen = words.parse_args(arguments)
    path = FOLDER / f"espalier_{chosen.language}.ts"
    collect(path, chosen.language)
    if chosen.translate:
        by = json.loads(Path(chosen.translate).read_text("utf-8"))
        print(f"{translate(path, by)} of {len(by)} translations taken over")
        collect(path, chosen.language)  # as Qt writes it
    release(path, path.with_suffix(".qm"))
    known = translations(path)
    missing = sorted(text for text, translation in known.items() if not translation)
    if chosen.untranslated:
        Path(chosen.untranslated).write_text(json.dumps(missing, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{path.name}: {len(known)} texts, {len(missing)} untranslated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
