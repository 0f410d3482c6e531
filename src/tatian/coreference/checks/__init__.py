"""Whether annotation keeps the rules of the MUC-6 definition: of form (certain), of content."""

from tatian.coreference.checks.checker import RULES, check, check_content, find_rules
from tatian.coreference.checks.rules import CheckFinding, CheckRule

__all__ = ["RULES", "CheckFinding", "CheckRule", "check", "check_content", "find_rules"]
