#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lays a tracefs out in a folder: two events whose field is a pointer, for each address that is given.

pointers.py OUT ADDRESS...: OUT gets events/ and a page of per_cpu/cpu0/trace_pipe_raw. An address of 16 digits is one of a
64-bit kernel, of 8 digits of a 32-bit one. The formats are what kernels print pointers by: "%p", "%px", "%pK"; the second
one has an IPv4 address, too, as those of sockets have.
"""
import os
import struct
import sys

out, *addresses = sys.argv[1:]
word = len(addresses[0]) // 2
common = """	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:void * at;	offset:8;	size:%d;	signed:0;
	field:__u8 ip[4];	offset:%d;	size:4;	signed:0;

""" % (word, 8 + word)
formats = {
    ("hidden", 901): '"at=%p, %px %pK 100%% %p", REC->at, REC->at, REC->at, REC->at',
    ("socket", 902): '"at=%p ip=%pI4", REC->at, REC->ip',
}
for (name, number), words in formats.items():
    folder = out + "/events/made/" + name
    os.makedirs(folder)
    with open(folder + "/format", "w", encoding="utf-8") as f:
        f.write("name: %s\nID: %d\nformat:\n%sprint fmt: %s\n" % (name, number, common, words))

# each event: 4 bytes with the length in words and the time since the one before, then the record
data = b"".join(
    struct.pack("<IHBBi", 1 << 5 | (12 + word) // 4, number, 0, 0, 1)
    + int(address, 16).to_bytes(word, "little") + bytes([10, 0, 0, 1])
    for address in addresses for _, number in formats)
assert len(data) <= 2048
with open(out + "/events/header_page", "w", encoding="utf-8") as f:
    f.write("""	field: u64 timestamp;	offset:0;	size:8;	signed:0;
	field: local_t commit;	offset:8;	size:%d;	signed:1;
	field: int overwrite;	offset:8;	size:1;	signed:1;
	field: char data;	offset:%d;	size:%d;	signed:1;
""" % (word, 8 + word, 4088 - word))
# that of the guests' own recordings, with which these events are merged
with open(out + "/trace_clock", "w", encoding="utf-8") as f:
    f.write("local [global] counter\n")
os.makedirs(out + "/per_cpu/cpu0")
with open(out + "/per_cpu/cpu0/trace_pipe_raw", "wb") as f:
    f.write(struct.pack("<Q", 10**9) + len(data).to_bytes(word, "little") + data.ljust(4088 - word, b"\0"))
