"""Checks of annotation against the MUC-6 definition: rules of form (certain) and of content."""

from tatian.coreference.checks.checker import check, check_content, find_rules
from tatian.coreference.checks.rules import RULES, CheckFinding

__all__ = ["RULES", "CheckFinding", "check", "check_content", "find_rules"]
