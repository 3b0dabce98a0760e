"""A whole session as one JSON file: write it, read it, verify it, and open the session again."""

from activeeval_widgets.formats.session_file.reading import SessionFile, read_session_file
from activeeval_widgets.formats.session_file.verification import Finding, Verification, verify
from activeeval_widgets.formats.session_file.writing import write_session

__all__ = ["Finding", "SessionFile", "Verification", "read_session_file", "verify", "write_session"]
