"""Judges of sentences: does each follow from its source documents?

`small` is shipped and the default. `local` is a language model on this machine with our adapter.
The third kind is any model at an OpenAI-compatible address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tatian.consolidation.verification.verdict import LOCAL, SMALL, Judge, JudgeQuery, SmallJudge
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.chat import KeptAnswers

__all__ = ["LOCAL", "SMALL", "Judge", "JudgeQuery", "SmallJudge", "open_judge"]


def open_judge(where: str | Judge, transcript: KeptAnswers | None = None) -> Judge:
    """Return the judge called ``small`` or ``local``, or the one at an address.

    $TATIAN_PROMPT_MODEL names the model at an address, unless there is only one. Its answers are
    kept in `transcript`, by default in the file for all of them.
    """
    if not isinstance(where, str):
        return where
    if where == SMALL:
        return SmallJudge()
    if where == LOCAL:
        from tatian.consolidation.verification.judges.local import LocalJudge

        return LocalJudge()
    if "://" not in where and not where.endswith(".gguf"):
        raise InputError(f"'{where}' is not an address: give small, local, or https://HOST/v1")
    from tatian.consolidation.verification.judges.address import AddressJudge

    return AddressJudge.at(where, transcript)
