"""Pages of one file: nothing to fetch, and a policy that allows only what is in them."""

from __future__ import annotations

import base64
import hashlib
import re
from html import unescape

from tatian.views.page import fill_template, in_frame, render_page


def policy(html: str) -> str:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert found
    return unescape(found[1])


def digest(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def test_a_page_allows_only_its_own_style_and_scripts() -> None:
    html = render_page("A page", "<p>text</p>", "p { color: red }", "go();")
    inside = re.findall(r"<script>(.*?)</script>", html)
    assert inside[-1] == "go();"
    for content in ("p { color: red }", *inside):
        assert f"'{digest(content)}'" in policy(html)
    assert policy(html).startswith("default-src 'none'; ")


def test_a_page_without_a_script_allows_none() -> None:
    html = render_page("A page", "<p>text</p>", "")
    assert "<script" not in html
    assert "script-src" not in policy(html)


def test_a_title_is_escaped() -> None:
    assert "<title>a &lt;b&gt; &amp; c</title>" in render_page("a <b> & c", "", "")


def test_placeholders_in_values_are_not_filled() -> None:
    assert fill_template("{{one}} {{two}}", one="{{two}}", two="2") == "{{two}} 2"


def test_a_frame_has_only_the_named_permissions() -> None:
    assert 'sandbox="allow-scripts"' in in_frame("<p>", "x")
    assert 'sandbox="allow-scripts allow-popups"' in in_frame("<p>", "x", "allow-popups")
    assert 'srcdoc="&lt;p&gt;"' in in_frame("<p>", "x")
