"""Markdown as far as our documents use it: fenced blocks, links, headings, tables, code spans."""

import os
import re
from dataclasses import dataclass

from .sources import TOP, read

FENCE = re.compile(r"^(`{3,})(.*)$")
# `[text](target)`; pictures too.
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SPAN = re.compile(r"`([^`]+)`")
NOT_RUN = re.compile(r"^<!-- not run: (\S.*) -->$")


@dataclass
class Block:
    """A fenced block: what stands behind the fence, the first line inside it, its lines."""

    page: str
    info: str
    line: int
    text: str
    before: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    @property
    def reason_not_to_run(self):
        """What the comment on the line before the block says, if there is one."""
        comment = NOT_RUN.match(self.before)
        return comment and comment.group(1)


def pages():
    """Every Markdown file of the repository; what was built is not searched."""
    found = []
    for folder, folders, names in os.walk(TOP):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [os.path.relpath(os.path.join(folder, name), TOP) for name in names if name.endswith(".md")]
    return sorted(found)


def _split(page):
    """The blocks, and the text with the blocks' lines left empty, so that lines keep their numbers."""
    blocks, prose, inside, before = [], [], None, ""
    for number, line in enumerate(read(page).split("\n"), 1):
        fence = FENCE.match(line)
        if inside is None and fence:
            inside = Block(page, fence.group(2).strip(), number + 1, "", before)
        elif inside is not None and line == "```":
            blocks.append(inside)
            inside = None
        elif inside is not None:
            inside.text += line + "\n"
        prose.append(line if inside is None and not fence else "")
        before = line
    assert inside is None, f"{inside.place}: this block has no end"
    return blocks, prose


def blocks(page, info=None):
    """The blocks of a page, or those with one info string."""
    return [block for block in _split(page)[0] if info is None or block.info == info]


def prose(page):
    """Numbered lines outside of blocks."""
    return list(enumerate(_split(page)[1], 1))


def links(page):
    """Targets of links, with their lines. What is within a code span is no link."""
    for number, line in prose(page):
        for target in LINK.findall(SPAN.sub("", line)):
            yield number, target


def spans(page):
    """Code spans, with their lines; a span may go over the end of a line."""
    text = "\n".join(line for _, line in prose(page))
    for span in SPAN.finditer(text):
        yield text.count("\n", 0, span.start()) + 1, " ".join(span.group(1).split())


def anchors(page):
    """The names under which a page's headings can be reached, as GitHub makes them."""
    for _, line in prose(page):
        if heading := re.match(r"#+ (.*)", line):
            words = re.sub(r"[^\w\- ]", "", heading.group(1).lower())
            yield words.replace(" ", "-")


def table_column(page, heading):
    """Cells below one heading, in every table that begins with it: line and text."""
    inside = False
    for number, line in prose(page):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            inside = False
        elif inside and not set(cells[0]) <= set("-: "):
            yield number, cells[0]
        elif not inside:
            inside = cells[0] == heading
