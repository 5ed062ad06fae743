#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a page of triage strictly: read_page.py PAGE. Prints what is wrong with it, or "whole".

Elements nest and are closed, names and attributes are ones that the page is made of, ids are there once, links
lead into the page, there is one script and it is the one that the policy's hash names, and nothing is loaded.
"""
import base64
import hashlib
import html.parser
import re
import sys

VOID = {"meta", "input"}
ATTRIBUTES = {
    "html": "lang", "meta": "charset http-equiv content name", "header": "class", "section": "id", "a": "href",
    "div": "class id", "p": "class hidden id data-since data-until data-ns data-high", "span": "class", "td": "class", "details": "class open",
    "ol": "start class", "input": "type data-of", "button": "type data-open",
    "svg": "xmlns width height viewbox class role aria-label", "rect": "x y width height rx class fill data-w",
    "path": "d class fill marker-end", "g": "class", "text": "x y class font-weight text-anchor",
    "pattern": "id width height patternunits", "marker":
    "id viewbox refx refy markerwidth markerheight markerunits orient",
}
PLAIN = set("head title style body script nav main footer h1 h2 h3 table tr th td ul li b code summary label output "
            "defs".split())
MOST = 6000000


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.ids, self.links, self.scripts, self.policy = [], [], [], [], [], ""
        self.details = 0

    def bad(self, why):
        self.wrong.append("line %d: %s" % (self.getpos()[0], why))

    def start(self, tag, attrs, closed):
        allowed = ATTRIBUTES.get(tag, "").split()
        if tag not in ATTRIBUTES and tag not in PLAIN:
            self.bad("element <%s>" % tag)
        for name, value in attrs:
            if name not in allowed:
                self.bad("attribute %s of <%s>" % (name, tag))
            if name == "id":
                self.ids.append(value)
            if name == "href":
                self.links.append(value)
        attrs = dict(attrs)
        if attrs.get("http-equiv") == "Content-Security-Policy":
            self.policy = attrs["content"]
        self.details += tag == "details"
        if tag not in VOID and not closed:
            self.open.append(tag)

    def handle_starttag(self, tag, attrs):
        self.start(tag, attrs, False)

    def handle_startendtag(self, tag, attrs):
        self.start(tag, attrs, True)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad("</%s> closes another element" % tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        for c in data:
            if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 or 0x202A <= ord(c) <= 0x202E:
                self.bad("character U+%04X" % ord(c))

    def handle_comment(self, data):
        self.bad("comment")

    def handle_pi(self, data):
        self.bad("processing instruction")

    def unknown_decl(self, data):
        self.bad("declaration")


def main():
    raw = open(sys.argv[1], "rb").read()
    page = Page()
    page.feed(raw.decode("utf-8"))
    page.close()
    if page.open:
        page.bad("<%s> is not closed" % page.open[-1])
    if len(raw) > MOST:
        page.bad("%d bytes" % len(raw))
    if len(set(page.ids)) != len(page.ids):
        page.bad("an id is there twice")
    for link in page.links:
        if not link.startswith("#") or link[1:] not in page.ids:
            page.bad("a link to %s" % link)
    if len(page.scripts) != 1:
        page.bad("%d scripts" % len(page.scripts))
    else:
        digest = base64.b64encode(hashlib.sha256(page.scripts[0].encode()).digest()).decode()
        if "script-src 'sha256-%s'" % digest not in page.policy:
            page.bad("the policy names another script")
    if not page.policy.startswith("default-src 'none'; "):
        page.bad("the policy lets things be loaded")
    text = raw.decode("utf-8")
    if re.search(r"@import|url\((?!#)", text[:text.find("</style>")]):
        page.bad("a style that loads")
    print("\n".join(page.wrong[:20]) if page.wrong else "whole")


main()
