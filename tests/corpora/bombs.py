"""Small files that become large or deep when they are read."""

from __future__ import annotations

import gzip
from collections.abc import Callable


def made(packed: Callable[[dict[str, str | bytes]], bytes]) -> dict[str, bytes]:
    """Each of them by its name; `packed` makes an archive."""
    zeros = bytes(300 << 20)
    laughs = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' if n else '<!ENTITY e0 "ha">' for n in range(12)
    )
    xml = f"<!DOCTYPE a [{laughs}]><a><p>&e11;</p></a>"
    nested = packed({"a.txt": "A ferry ran aground."})
    for _ in range(12):
        nested = packed({"a.zip": nested, "b.zip": nested})
    texts: dict[str, str | bytes] = {
        f"{n}.txt": "A ferry ran aground. " * 20_000 for n in range(400)
    }
    deep = b"[" * 30_000 + b"]" * 30_000
    content = f'<office:p xmlns:office="o">{"<office:p>" * 50_000}'
    return {
        "zeros.docx": packed({"word/document.xml": zeros}),
        "zeros.odt": packed({"content.xml": zeros}),
        "zeros.epub": packed({"META-INF/container.xml": zeros}),
        "zeros.zip": packed({"a.txt": zeros}),
        "zeros.txt.gz": gzip.compress(zeros, 1),
        "laughs.docx": packed({"word/document.xml": xml}),
        "laughs.odt": packed({"content.xml": xml}),
        "laughs.xml": xml.encode(),
        "nested.zip": nested,
        "many.zip": packed({f"{n}.txt": "x" for n in range(20_000)}),
        "large.zip": packed(texts),
        "deep.html": b"<div>" * 100_000 + b"text",
        "tags.html": b"<a " * (200 * 1024 // 3),
        "deep.rtf": b"{\\rtf1 " + b"{" * 100_000 + b"text",
        "deep.odt": packed({"content.xml": content}),
        "deep.json": deep,
        "deep.jsonl": b'{"text": ' + deep + b"}\n",
        "parts.eml": b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\nx\n" * 20_000,
        "heads.eml": b"".join(b"X-%d: y\n" % n for n in range(200_000)) + b"\ntext",
        "line.srt": b"1\n00:00:01,000 --> 00:00:02,000\n" + b"x" * (4 << 20),
        "objects.pdf": b"%PDF-1.7\n" + b"1 0 obj << /Kids [1 0 R] >> endobj\n" * 50_000,
    }
