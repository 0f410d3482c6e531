"""What people call chains: numbers on the key's side, and the same numbers where sides agree."""

from __future__ import annotations

from string import ascii_lowercase

from tatian.coreference.comparing.result import Side, parts_of

INVENTED = "x"


def key_labels(chains: int) -> tuple[str, ...]:
    """``1``, ``2`` and so on."""
    return tuple(map(str, range(1, chains + 1)))


def response_labels(response: Side, key: Side, to_key: dict[int, int]) -> tuple[str, ...]:
    """The number of the key chain that a response chain holds most of.

    Of several such chains the largest has the bare number, the others are ``3b``, ``3c``; chains
    that hold nothing of the key are ``x1``, ``x2``.
    """
    labels = [""] * len(response.chains)
    claims: dict[int, list[tuple[int, int]]] = {}
    invented = 0
    for chain, members in enumerate(response.members):
        parts = parts_of(members, key, to_key)
        if parts:
            claims.setdefault(parts[0].chain, []).append((-len(parts[0].mentions), chain))
        else:
            invented += 1
            labels[chain] = f"{INVENTED}{invented}"
    for wanted, claimed in claims.items():
        for rank, (_, chain) in enumerate(sorted(claimed)):
            labels[chain] = key.labels[wanted] + (_letters(rank) if rank else "")
    return tuple(labels)


def base(label: str) -> str:
    """The number of the key chain that a label stands for: ``3`` for ``3b``."""
    return label.rstrip(ascii_lowercase)


def _letters(rank: int) -> str:
    """``b`` for 1, ``z`` for 25, ``aa`` for 26."""
    rounds, letter = divmod(rank, len(ascii_lowercase))
    return (_letters(rounds - 1) if rounds else "") + ascii_lowercase[letter]
