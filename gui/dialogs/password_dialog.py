"""Asks for the password of a database, which a project does not keep."""

from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from engine.runtime.sentences import tr
from gui.widgets import verbatim
from gui.widgets.building import form, named
from gui.widgets.labels import Notice, answers, on_screen, quiet, stack


class PasswordDialog(QDialog):
    """`password` is what was typed, in hidden letters.

    Args:
        address: of the database, without a password. refused: why the password before was, in words; or empty.
    """

    def __init__(self, address: str, refused: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "password_dialog").setWindowTitle(tr("Password of a database"))
        asked = verbatim.label(tr("The database {address} wants a password.", address=address), wordWrap=True)
        error, fields = Notice("password_error"), QWidget()
        self._field = named(QLineEdit(echoMode=QLineEdit.EchoMode.Password), "password_field", tr("Password"))
        form(fields).addRow(tr("&Password"), self._field)
        buttons, _ = answers(self, tr("C&onnect"), "password_accept")
        kept = quiet(tr("It is used to connect now, and is not saved."))
        stack(self, asked, fields, kept, error, buttons, spacing=12)
        error.say(refused, "error")
        self.setMinimumWidth(on_screen(self, 440, 0).width())
        self._field.setFocus()

    @property
    def password(self) -> str:
        return self._field.text()
