#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lays a tracefs out in a folder: an event whose field is the address of a text, for each line of printk_formats.

texts.py TESTIMONY SYSTEM/EVENT OUT [ADDRESS...]: TESTIMONY is a tracing guest's folder of that name. OUT gets events/, a page of
per_cpu/cpu0/trace_pipe_raw, and `want`, the texts in their order as the kernel's own file has them. With addresses, there is an event of each of these instead.
"""
import os
import re
import struct
import sys

testimony, event, out, *addresses = sys.argv[1:]
formats = open(testimony + "/formats.txt", encoding="utf-8").read()
text = re.search(r"==> \S*/events/" + re.escape(event) + r"/format <==\n(.*?)(?=\n==> |\Z)", formats, re.S).group(1)
number = int(re.search(r"^ID: (\d+)$", text, re.M).group(1))

texts = []
for line in open(testimony + "/printk_formats", encoding="utf-8"):
    m = re.match(r'0x([0-9a-f]+) : "([^\\]*)"$', line)
    # a tracepoint_string() is listed twice, and formats of trace_printk() end in \n
    if m and (int(m[1], 16), m[2]) not in texts:
        texts.append((int(m[1], 16), m[2]))
assert len(texts) > 40
if addresses:
    texts = [(int(address, 16), "") for address in addresses]

# each event: 4 bytes with the length in words and the time since the one before, then the record
data = b"".join(struct.pack("<IHBBiQ", 1 << 5 | 4, number, 0, 0, 1, address) for address, _ in texts)
assert len(data) <= 4080
for folder in ("/events/" + event, "/per_cpu/cpu0"):
    os.makedirs(out + folder)
open(out + "/events/" + event + "/format", "w", encoding="utf-8").write(text + "\n")
open(out + "/events/header_page", "wb").write(open(testimony + "/events/header_page", "rb").read())
open(out + "/per_cpu/cpu0/trace_pipe_raw", "wb").write(
    struct.pack("<QQ", 10**9, len(data)) + data.ljust(4080, b"\0"))
open(out + "/want", "w", encoding="utf-8").write("".join(t + "\n" for _, t in texts))
