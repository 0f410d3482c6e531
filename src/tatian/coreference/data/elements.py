"""XML whose elements know their line, so that an error can say where it is."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from msgspec import Struct, field

from tatian.errors import InputError


class Element(Struct):
    """One XML element: tag, attributes, line, the text in it, what it contains."""

    tag: str
    attributes: dict[str, str]
    path: str | None
    line: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def get(self, attribute: str) -> str:
        """The attribute's value; an `InputError` if the element has no such attribute."""
        try:
            return self.attributes[attribute]
        except KeyError:
            raise InputError(
                f"<{self.tag}> has no attribute '{attribute}'", path=self.path, line=self.line
            ) from None

    def child(self, tag: str) -> Element:
        """The first child with that tag; an `InputError` if there is none."""
        for element in self.children:
            if element.tag == tag:
                return element
        raise InputError(f"<{self.tag}> has no <{tag}>", path=self.path, line=self.line)

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)


def parse(data: bytes, path: str | None, encoding: str | None = None) -> Element:
    """The root element of an XML file; malformed XML is an `InputError` with file and line.

    The file itself says what its encoding is, unless it is given.
    """
    parser = expat.ParserCreate(encoding)
    top = Element("", {}, path, 0)
    stack = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, path, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def characters(text: str) -> None:
        stack[-1].text += text

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputError(
            f"malformed XML: {expat.ErrorString(error.code)}", path=path, line=error.lineno
        ) from error
    return top.children[0]
