#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows that KernelShark has of a trace.dat, by its own library (libkshark2): kshark.py FILE.

Each is "nanoseconds cpu pid system:event text", as KernelShark shows it, in its order of time.
"""
import ctypes
import re
import sys

lib = ctypes.CDLL("libkshark.so.2")
lib.kshark_dump_entry.restype = ctypes.c_void_p
lib.kshark_load_entries.restype = ctypes.c_ssize_t
context = ctypes.c_void_p()
lib.kshark_instance(ctypes.byref(context))
stream = lib.kshark_open(context, sys.argv[1].encode())
if stream < 0:
    sys.exit("KernelShark does not open it")
rows = ctypes.POINTER(ctypes.c_void_p)()
for i in range(max(0, lib.kshark_load_entries(context, stream, ctypes.byref(rows)))):
    text = ctypes.string_at(lib.kshark_dump_entry(ctypes.c_void_p(rows[i]))).decode("utf-8", "replace")
    # "0; 9141404170; perf-175; CPU 0; dN.6.; sched/sched_wakeup; comm=... ; 0xff"
    m = re.fullmatch(r"\d+; (\d+); .*?-(-?\d+); CPU (\d+); [^;]*; (\w+)/(\w+); (.*); 0x[0-9a-f]+", text, re.S)
    print(m[1], m[3], m[2], m[4] + ":" + m[5], " ".join(m[6].split()))
