"""What labelers of mentions answer."""

from tatian.formats.labels import Confirmation, Detection, LinkedTerm, Verdict

__all__ = ["Confirmation", "Detection", "LinkedTerm", "Verdict"]
