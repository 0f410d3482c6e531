"""Check that code and pages are written in plain English.

Without arguments, the paths in CLEAN are checked, and names of variables only in CLEAN_NAMES.
Otherwise everything is checked in the files and folders that are named.
Every finding is a line `file:line: message`, and the exit status is 1 when there are any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

CLEAN = ["README.md", "CONTRIBUTING.md", "benchmarks", "docs", "scripts", "src"]
"""Files and folders that must stay clean in all but the names of variables."""
CLEAN_NAMES = ["benchmarks", "scripts/check_language.py", "src"]
"""Files and folders whose variables must also have plain names. The list only grows."""

EVERYWHERE = {
    r"retold|retell(?:s|ing)?|told again|tell(?:s|ing)? again": "redundant, redundancy",
    r"woven|re-?weav(?:e[sd]?|ing)|weav(?:e[sd]?|ing)|wove": "consolidate, consolidated",
    r"tellings?|what tells what|tells? most": "coverage, covers",
    r"unproved|unproven": "unsupported",
    r"leans? on": "depends on",
    r"disput(?:es?|ed|ing)": "conflict",
    r"fates?": "outcome",
}
"""Words of the old vocabulary, as patterns, and the words to use instead."""
IN_CODE = {
    **EVERYWHERE,
    r"told|tells": "covered, covers; or says, states",
    r"accounts?": "source, source document",
}
"""The words to avoid in docstrings and comments, where users' words are not needed."""
ALLOWED = {
    "README.md": {"weaves"},
    "docs/glossary.md": {"*"},
    "docs/papers.md": {"*"},
    "src/tatian/consolidation/result.py": {"own"},
    "src/tatian/scoring/linking.py": {"found"},
    "src/tatian/text/layers.py": {"own"},
    "src/tatian/workbench/campaigns/records.py": {"given"},
    "src/tatian/workbench/desk/manuscript.py": {"own"},
    "src/tatian/workbench/quality/gold.py": {"how"},
}
"""Old words and names that a file may use, such as public fields; `*` allows all words."""

VAGUE_OPENING = re.compile(r"(?:What|Where|Who|Whose|Whether|Which|When|How|That|The same)\b")
VAGUE_NAMES = "one|each|made|given|found|told|own|aside|how"
VAGUE_NAME = re.compile(
    rf"(?:\bfor |^\s*)\(?(?:\w+, )*\(?({VAGUE_NAMES})\b\)?(?:, \(?\w+\)?)*"
    r"(?: in | = |: [\w\[\], |.]+ = )"
)
LONGEST_SENTENCE = 35
LONGEST_LINE = 120

DOCSTRING = re.compile(r'^[ \t]*r?"""(.*?)"""', re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"(?:^\s*|\s\s)# (.*)$")
QUOTED = re.compile(r'``[^`]*``|`[^`\n]*`|"[^"]*"|“[^”]*”|\'[^\'\n]*\'(?!\w)')
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|<https?:[^>]*>|https?://\S+")
SENTENCE_END = re.compile(r"[.!?][)\"'*_”]*(?=\s|$)")
BLOCK_START = re.compile(r"\s*(?:[-*+]|\d+[.)]|#+|>|:)\s+")

Finding = tuple[int, str]


def compiled(words: dict[str, str]) -> tuple[re.Pattern[str], list[str]]:
    """One pattern for all words, a group each, and the replacements in the order of the groups."""
    joined = "|".join(f"({pattern})" for pattern in words)
    return re.compile(rf"\b(?:{joined})\b", re.IGNORECASE), list(words.values())


CODE_WORDS = compiled(IN_CODE)
PAGE_WORDS = compiled(EVERYWHERE)


def old_words(
    text: str, words: tuple[re.Pattern[str], list[str]], allowed: set[str]
) -> Iterator[str]:
    """Yield a message for each old word in the text, quotations and code left out."""
    pattern, replacements = words
    if "*" in allowed or not pattern.search(text):
        return
    for match in pattern.finditer(QUOTED.sub("``", text)):
        if match[0].lower() not in allowed:
            yield f'old word "{match[0]}": use {replacements[(match.lastindex or 1) - 1]}'


def check_code(text: str, allowed: set[str], names: bool = True) -> Iterator[Finding]:
    """Yield the findings of a Python file: docstrings, comments and, with `names`, variables."""
    inside: set[int] = set()
    for docstring in DOCSTRING.finditer(text):
        first = text.count("\n", 0, docstring.start()) + 1
        body = docstring[1]
        if opening := VAGUE_OPENING.match(body):
            yield first, f'docstring begins with "{opening[0]}": use an imperative or a noun'
        # A quotation may run over lines, so it is blanked out before the lines are parted.
        blanked = QUOTED.sub(lambda quoted: "`" + "\n" * quoted[0].count("\n") + "`", body)
        for number, line in enumerate(blanked.split("\n"), first):
            inside.add(number)
            yield from ((number, message) for message in old_words(line, CODE_WORDS, allowed))
    for number, line in enumerate(text.split("\n"), 1):
        if number in inside:
            continue
        if comment := COMMENT.search(line):
            yield from ((number, text) for text in old_words(comment[1], CODE_WORDS, allowed))
        elif names and (name := VAGUE_NAME.search(line)) and name[1] not in allowed:
            yield number, f"vague name `{name[1]}`: say what it holds"


def blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the paragraphs, headings and list items of a page with their first line's number.

    Code blocks, tables, comments and front matter are left out.
    """
    block: list[str] = []
    start, fence, comment = 1, "", False
    for number, line in enumerate([*text.split("\n"), ""], 1):
        stripped = line.strip()
        if fence:
            fence = "" if stripped.startswith(fence) else fence
            continue
        comment = comment or stripped.startswith("<!--")
        opens = stripped[:3] if stripped.startswith(("```", "~~~")) else ""
        indented = not block and line.startswith("    ")
        outside = comment or opens or not stripped or indented or stripped.startswith("|")
        if block and (outside or BLOCK_START.match(line)):
            yield start, block
            block = []
        if outside:
            fence, comment = opens, comment and "-->" not in line
        else:
            if not block:
                start = number
            block.append(line)


def check_page(text: str, allowed: set[str]) -> Iterator[Finding]:
    """Yield the findings of a Markdown page: old words, long sentences and long lines.

    The end of a block also ends its last sentence.
    """
    for start, block in blocks(text):
        for number, line in enumerate(block, start):
            plain = LINK.sub(r"\1", line)
            if len(plain) > LONGEST_LINE and " " in plain.strip():
                yield number, f"line of {len(plain)} characters: break it at {LONGEST_LINE}"
            yield from ((number, message) for message in old_words(plain, PAGE_WORDS, allowed))
        words = [
            (number, word)
            for number, line in enumerate(block, start)
            for word in QUOTED.sub("`x`", LINK.sub(r"\1", line)).split()
        ]
        sentence: list[int] = []
        for number, word in [*words, (0, ".")]:
            sentence.append(number)
            if SENTENCE_END.search(word):
                if len(sentence) > LONGEST_SENTENCE:
                    yield (
                        sentence[0],
                        f"sentence of {len(sentence)} words: at most {LONGEST_SENTENCE}",
                    )
                sentence = []


def check(path: Path, names: bool = True) -> Iterator[Finding]:
    """Yield the findings of a file, by its kind; those of variables only with `names`."""
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    text, allowed = path.read_text("utf-8"), ALLOWED.get(name, set())
    return check_page(text, allowed) if path.suffix == ".md" else check_code(text, allowed, names)


def files(paths: list[Path]) -> Iterator[Path]:
    """Yield the Python files and Markdown pages of files and folders, in order.

    Licences are left out of folders, since checksums of weights cover them.
    """
    for path in paths:
        if path.is_file():
            yield path
        for suffix in ("py", "md"):
            listed = sorted(path.rglob(f"*.{suffix}"))
            yield from (file for file in listed if file.name != "LICENSE.md")


def main(arguments: list[str]) -> int:
    """Print the findings in the paths named, or in the clean ones; return 1 when there are any."""
    paths = [Path(argument).resolve() for argument in arguments] or [ROOT / name for name in CLEAN]
    if missing := [str(path) for path in paths if not path.exists()]:
        print(f"error: there is no {', '.join(missing)}", file=sys.stderr)
        return 2
    named = set(files([ROOT / name for name in CLEAN_NAMES]))
    count = 0
    for path in files(paths):
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for number, message in sorted(check(path, names=bool(arguments) or path in named)):
            count += 1
            print(f"{shown}:{number}: {message}")
    if count:
        print(f"{count} findings", file=sys.stderr)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
