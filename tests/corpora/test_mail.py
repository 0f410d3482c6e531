"""What is taken from a mail, and what is not."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from tatian.corpora.mail import read_eml, read_mbox
from tatian.errors import EmptyInput, NotText

from .file_samples import PARAGRAPHS, TEXT, TITLE, mail, mbox


def text_of(body: str) -> str:
    return read_eml(mail(body), "a.eml", print)[0].text


def test_headers_give_title_date_and_source() -> None:
    about = read_eml(mail(), "a.eml", print)[0].metadata
    assert (about.title, about.date, about.source) == (TITLE, "2023-03-14", "Zoë Müller")


@pytest.mark.parametrize(
    "below",
    [
        "\n\nOn Mon, 13 Mar 2023, Ingrid wrote:\n> Where is the ferry?\n>> Who asks?\n",
        "\n\nOn Mon, 13 Mar 2023 at 10:12, Ingrid Tolle\n<ingrid@example.org> wrote:\n\n> Where?\n",
        "\n\n-- \nZoë Müller\nHarbour master\n+49 30 1234\n",
        "\n\nSent from my iPhone\n",
    ],
)
def test_replies_below_and_signatures_are_left_out(below: str) -> None:
    assert text_of(TEXT + below) == TEXT


def test_answers_between_quoted_lines_stay() -> None:
    assert (
        text_of("> Was anybody hurt?\nNobody was.\n> When?\nOn Tuesday.\n")
        == "Nobody was.\nOn Tuesday."
    )


def test_a_mail_of_quotations_alone_is_kept() -> None:
    assert text_of("> It ran aground.\n") == "> It ran aground."


def test_dashes_far_above_the_end_do_not_start_a_signature() -> None:
    long = "\n".join(f"Line {n} of the report." for n in range(30))
    assert text_of(f"First.\n-- \n{long}").endswith("Line 29 of the report.")


def test_forwarded_mail_has_its_original_author() -> None:
    head = "From: Ingrid Tolle <ingrid@example.org>\nDate: Mon, 13 Mar 2023 08:00:00 +0000\n"
    body = f"FYI\n\n---------- Forwarded message ---------\n{head}Subject: Fog\nTo: Zoë\n\n{TEXT}\n"
    (document,) = read_eml(mail(body, Subject="Fwd: Fog"), "a.eml", print)
    about = document.metadata
    assert document.text == TEXT
    assert (about.title, about.date, about.source) == ("Fog", "2023-03-13", "Ingrid Tolle")


@pytest.mark.parametrize(
    ("subject", "above", "quote"),
    [
        ("FW: Fog", "See below.\n\n________________________________\n", ""),
        ("FW: Fog", "-----Original Message-----\n", ""),
        ("Fwd: Fog", "\nBegin forwarded message:\n\n", "> "),
        ("Fwd: Fog", "---------- Forwarded message ---------\n", ""),
    ],
)
def test_forwarded_mail_of_common_programs_is_recognised(
    subject: str, above: str, quote: str
) -> None:
    head = "From: Ingrid Tolle <i@example.org>\nSent: Monday, March 13, 2023 9:12 AM\nSubject: Fog"
    passed_on = f"{head}\n\n{TEXT}"
    passed_on = "\n".join(f"{quote}{line}".rstrip() for line in passed_on.split("\n"))
    (document,) = read_eml(mail(above + passed_on, Subject=subject), "a.eml", print)
    about = document.metadata
    assert document.text == TEXT
    assert (about.title, about.date, about.source) == ("Fog", "2023-03-13", "Ingrid Tolle")


def test_mail_quoted_by_outlook_is_left_out() -> None:
    below = "\n\nFrom: Ingrid <i@example.org>\nSent: Monday, March 13, 2023\n\nWhere is it?\n"
    assert text_of(TEXT + below) == TEXT
    assert text_of(f"{TEXT}\n\n-----Original Message-----{below}") == TEXT


def test_replies_and_signatures_that_a_page_marks_are_left_out() -> None:
    page = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
    for mark in ('div class="gmail_quote"', 'blockquote type="cite"', 'div id="divRplyFwdMsg"'):
        data = mail(".", html=f"<html><body>{page}<{mark}>Where is it?</body></html>")
        assert read_eml(data, "a.eml", print)[0].text == TEXT


def test_attached_mail_is_read_if_the_outer_one_is_empty() -> None:
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "a@example.org", "Fog"
    inner.set_content(TEXT)
    outer = EmailMessage()
    outer["From"], outer["Subject"] = "b@example.org", "Fwd: Fog"
    outer.set_content("See below.")
    outer.add_attachment(inner)
    assert read_eml(outer.as_bytes(), "a.eml", lambda _: None)[0].text == TEXT


def test_the_page_is_read_where_the_text_only_points_to_it() -> None:
    page = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
    data = mail("Please view this mail as HTML.", html=f"<html><body>{page}</body></html>")
    assert read_eml(data, "a.eml", print)[0].text == TEXT
    assert read_eml(mail(html=page), "a.eml", print)[0].text == TEXT


def test_flowed_lines_are_joined() -> None:
    data = mail("x").replace(b'charset="utf-8"', b'charset="utf-8"; format=flowed')
    flowing = data.replace(b"\n\nx\n", b"\n\nA ferry ran \naground.\nNobody \nwas hurt.\n")
    assert read_eml(flowing, "a.eml", print)[0].text == "A ferry ran aground.\nNobody was hurt."


def test_attachments_are_named() -> None:
    message = EmailMessage()
    message["From"] = "a@example.org"
    message.set_content(TEXT)
    message.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="log.pdf")
    heard: list[str] = []
    assert read_eml(message.as_bytes(), "a.eml", heard.append)[0].text == TEXT
    assert heard == ["a.eml: attachments are not read: log.pdf"]


def test_an_encrypted_mail_is_named_so() -> None:
    data = (
        b'From: a@example.org\nContent-Type: multipart/encrypted; boundary="b"\n\n--b\n\nx\n--b--\n'
    )
    with pytest.raises(NotText, match="an encrypted mail"):
        read_eml(data, "a.eml", print)


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-16", "koi8-r", "no-such-charset"])
def test_a_mail_in_any_charset_gives_text_or_a_line(charset: str) -> None:
    head = (
        f"From: a@example.org\nSubject: x\nContent-Type: text/plain; charset={charset}\n\n".encode()
    )
    try:
        assert read_eml(head + "Grüße aus dem Hafen".encode("latin-1"), "a.eml", print)
    except (NotText, EmptyInput) as error:
        assert str(error).startswith("a.eml: ")  # noqa: PT017


def test_every_message_of_a_mailbox_is_a_source() -> None:
    first, second = read_mbox(mbox(), "a.mbox", print)
    assert first.text == TEXT
    assert second.text == "A second mail says that nobody was hurt."


def test_message_without_text_gives_a_warning() -> None:
    heard: list[str] = []
    data = mbox() + b"\nFrom x@example.org Tue Mar 14 09:31:00 2023\nFrom: x@example.org\n\n\n"
    assert len(read_mbox(data, "a.mbox", heard.append)) == 2
    assert heard == ["skipped: a.mbox: message 3: a mail without text of its own"]
