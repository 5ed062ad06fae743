#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a CTF trace into the folder that is given, in the shapes of lttng-modules: two CPUs, heads of events with
27 bits of time, contexts procname, pid and tid, and what the kernel's events are called there."""
import os
import random
import struct
import sys

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 27; align = 1; signed = false; } := uint27_t;
trace { major = 1; minor = 8; uuid = "3a8f2b46-5d2e-4c1f-9a43-0f6a5c1e7d10"; byte_order = le;
 packet.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; uint64_t stream_instance_id; }; };
env { hostname = "made"; domain = "kernel"; sysname = "Linux"; kernel_release = "6.1.0-50-amd64";
 tracer_name = "lttng-modules"; tracer_major = 2; tracer_minor = 13; };
clock { name = "monotonic"; uuid = "7c2f0e83-8f0a-4f5d-bf0b-3a2a3b0c9d21"; description = "Monotonic Clock";
 freq = 1000000000; offset = 1700000000123456789; };
typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; } := uint27_clock_monotonic_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := uint64_clock_monotonic_t;
struct packet_context { uint64_clock_monotonic_t timestamp_begin; uint64_clock_monotonic_t timestamp_end;
 uint64_t content_size; uint64_t packet_size; uint64_t packet_seq_num; uint64_t events_discarded; uint32_t cpu_id; };
struct event_header_compact { enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
 variant <id> { struct { uint27_clock_monotonic_t timestamp; } compact;
  struct { uint32_t id; uint64_clock_monotonic_t timestamp; } extended; } v; } align(8);
stream { id = 0; event.header := struct event_header_compact; packet.context := struct packet_context;
 event.context := struct { integer { size = 32; align = 8; signed = 1; base = 10; } _pid;
  integer { size = 8; align = 8; signed = 0; encoding = UTF8; base = 10; } _procname[16];
  integer { size = 32; align = 8; signed = 1; base = 10; } _tid; }; };
"""
COMM = "integer { size = 8; align = 8; signed = 0; encoding = UTF8; base = 10; }"
INT = "integer { size = 32; align = 8; signed = 1; base = 10; }"
LONG = "integer { size = 64; align = 8; signed = 1; base = 10; }"
HEX = "integer { size = 64; align = 8; signed = 0; base = 16; }"
STRING = "string"
EVENTS = [
    ("sched_switch", [(COMM, "prev_comm"), (INT, "prev_tid"), (INT, "prev_prio"), (LONG, "prev_state"), (COMM, "next_comm"),
                      (INT, "next_tid"), (INT, "next_prio")]),
    ("sched_wakeup", [(COMM, "comm"), (INT, "tid"), (INT, "prio"), (INT, "target_cpu")]),
    ("irq_handler_entry", [(INT, "irq"), (STRING, "name")]),
    ("irq_handler_exit", [(INT, "irq"), (INT, "ret")]),
    ("kmem_kmalloc", [(HEX, "call_site"), (HEX, "ptr"), (LONG, "bytes_req"), (LONG, "bytes_alloc"), (INT, "gfp_flags")]),
    ("syscall_entry_openat", [(INT, "dfd"), (STRING, "filename"), (INT, "flags"), (INT, "mode")]),
    ("syscall_exit_openat", [(LONG, "ret")]),
]
NAMES = ["swapper/0", "kworker/u4:1", "bash", "Web Content", "lttng-consumerd"]
random.seed(20)


def field(kind):
    if kind == COMM:
        return random.choice(NAMES).encode().ljust(16, b"\0")
    if kind == STRING:
        return random.choice([b"/etc/passwd", b"virtio0-input.0", b"", "/tmp/\u00e4".encode()]) + b"\0"
    if kind == INT:
        return struct.pack("<i", random.choice([-100, 0, 1, 42, 120, 577, 32768]))
    return struct.pack("<q", random.choice([0, 2, 4096, 1 << 40])) if kind == LONG else struct.pack(
        "<Q", 0xFFFF888000000000 + 64 * random.randrange(1 << 20))


def event(now, before):
    number = random.randrange(len(EVENTS))
    far = now - before >= 1 << 27
    head = struct.pack("<BIQ", 31, number, now) if far else struct.pack("<I", number | (now & (1 << 27) - 1) << 5)
    task = random.randrange(len(NAMES))
    context = struct.pack("<i16si", task * 10, NAMES[task].encode(), task * 10 + 1)
    return head + context + b"".join(field(k) for k, _ in EVENTS[number][1])


def stream(cpu):
    out, now, lost = b"", 5000000000 + 1000 * cpu, 0
    for packet in range(4):
        begin = before = now
        body = b""
        for _ in range(12):
            now += random.choice([700, 15000, 1 << 20, 1 << 28])
            body += event(now, before)
            before = now
        lost += random.choice([0, 3]) if packet else 0
        content = 8 * (4 + 16 + 4 + 8 + 52 + len(body))
        head = struct.pack("<I", 0xC1FC1FC1) + bytes.fromhex("3a8f2b465d2e4c1f9a430f6a5c1e7d10") + struct.pack(
            "<IQ", 0, cpu) + struct.pack("<QQQQQQI", begin, now, content, 4096 * 8, packet, lost, cpu)
        out += (head + body).ljust(4096, b"\0")
        now += 100
    return out


os.makedirs(sys.argv[1], exist_ok=True)
for cpu in 0, 1:
    with open(f"{sys.argv[1]}/channel0_{cpu}", "wb") as f:
        f.write(stream(cpu))
with open(f"{sys.argv[1]}/metadata", "w", encoding="ascii") as f:
    f.write(METADATA)
    for number, (name, fields) in enumerate(EVENTS):
        members = " ".join(f"{kind} _{n}{'[16]' if kind == COMM else ''};" for kind, n in fields)
        f.write(f'event {{ name = "{name}"; id = {number}; stream_id = 0; fields := struct {{ {members} }}; }};\n')
