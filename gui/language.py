"""The language of the window: which there are, which one is asked for, and where its texts come from.

Qt translates its own dialogs, and `tr` what the window says; numbers keep their decimal point in every language, for
conditions are typed and parsed so."""

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QProcess, QTranslator

from engine.runtime.sentences import speak

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
SYSTEM, ENGLISH = "system", "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}  # each by its own name, which is not translated


def code_of(choice: str) -> str:
    """The language of a choice; of "system" the first of the person's languages that there is, else English."""
    asked = [name.partition("-")[0] for name in QLocale.system().uiLanguages()] if choice == SYSTEM else [choice]
    return next((code for code in asked if code in LANGUAGES), ENGLISH)


def use(application: QCoreApplication, choice: str) -> list[QTranslator]:
    """Speaks a language from now on: of texts that are made from now on. Returns what was installed for that."""
    QLocale.setDefault(QLocale.c())
    code, qt = code_of(choice), QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if code == ENGLISH:
        speak()
        return []
    made = [QTranslator(application), QTranslator(application)]
    for translator, name, folder in zip(made, (f"qtbase_{code}", f"espalier_{code}"), (qt, str(FOLDER)), strict=True):
        if translator.load(name, folder):
            application.installTranslator(translator)
    speak(lambda text: QCoreApplication.translate("", text))
    return made


def restart(*arguments: str) -> None:
    QProcess.startDetached(sys.executable, [str(ROOT / "main.py"), *arguments])
