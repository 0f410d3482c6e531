"""Whether annotation keeps the rules of the MUC-6 definition: of form (certain), of content."""

from tatian.coreference.checking.checker import RULES, check, check_content, find_rules
from tatian.coreference.checking.findings import Finding, Rule

__all__ = ["RULES", "Finding", "Rule", "check", "check_content", "find_rules"]
