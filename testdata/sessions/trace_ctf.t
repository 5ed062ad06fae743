# CTF, as `perf data convert --to-ctf` writes it: each event is held against what babeltrace2 says of it (testdata/captures/ctf).
guest: none

# Time, CPU, event, and every field of the event's own by name; its chain. jq's numbers are good to 2^53, so addresses of the
# kernel are compared by the chain alone.
$ tar -xJf $TOP/testdata/captures/ctf/chains.tar.xz; babeltrace2 --clock-seconds --no-delta ctf-chains | python3 $TOP/testdata/captures/ctf/rows.py >want; obit --json ctf-chains -c 'trace show' | jq -r 'select(.record == "event") | "\(.time_ns / 1000000000 | floor).\("000000000\(.time_ns % 1000000000)"[-9:]) \(.system):\(.event) \(.cpu) \(.pid) " + ([.fields | to_entries[] | "\(.key)=\(.value)"] + (.chain // []) | join(" "))' | cmp want - && wc -l <want
139

# Events of no tracepoint, which perf adds.
$ tar -xJf $TOP/testdata/captures/ctf/all.tar.xz; babeltrace2 ctf-all | sed -n 's/.* perf_comm: .*{ pid = \([0-9]*\), tid = [0-9]*, comm = "\(.*\)" }/\1 \2/p' >want; obit --json ctf-all -c 'trace show -e perf_comm' | jq -r 'select(.record == "event") | "\(.fields.pid) \(.fields.comm)"' | cmp want - && grep -c ' load$' want; babeltrace2 ctf-all | wc -l; obit --json ctf-all -c 'trace stat' | jq 'select(.record == "trace_summary") | .events'
~ ^[1-9][0-9]*$
360
360

# Handed on, trace-cmd reads the same events.
$ tar -xJf $TOP/testdata/captures/ctf/chains.tar.xz; obit ctf-chains -c 'trace export -o x.dat'; trace-cmd report -t x.dat 2>/dev/null | sed -nE 's/.* ([0-9]+\.[0-9]{9}): *([a-z_]+):.*/\1 \2/p' >got; babeltrace2 --clock-seconds --no-delta ctf-chains | sed -E 's/\[([0-9.]+)\] [a-z]+:([a-z_]+):.*/\1 \2/' | cmp - got && wc -l <got
note: the calls that led to 139 events have no place in a trace.dat, and are left out: --form txt has them
x.dat: trace.dat v6, 139 events of 1 buffers
139

# A stream that is cut: in its padding, within an event, in its packet's head. What is whole is there, and that it is not all is
# said. babeltrace2 reads as much of it when the packet is said to hold no more bytes, but shows the event that reaches beyond
# them, too; of the other stream there are 76.
$ tar -xJf $TOP/testdata/captures/ctf/chains.tar.xz; cp -r ctf-chains one; rm one/perf_stream_1; babeltrace2 --clock-seconds --no-delta ctf-chains 2>/dev/null | sed -E 's/^\[([0-9.]+)\] ([^ ]+): .*/\1 \2/' >all; mv ctf-chains/perf_stream_0 whole; for n in 9000 3000 300; do python3 -c 'import struct, sys; b = bytearray(open("whole", "rb").read()); b[40:48] = struct.pack("<Q", 8 * int(sys.argv[1])); sys.stdout.buffer.write(b)' $n >one/perf_stream_0; head -c $n whole >ctf-chains/perf_stream_0; obit --json ctf-chains -c 'trace show' | jq -r 'select(.record == "event") | "\(.time_ns / 1000000000 | floor).\("000000000\(.time_ns % 1000000000)"[-9:]) \(.system):\(.event)"' >got; echo "$(($(wc -l <got) - 76 - $(babeltrace2 one 2>/dev/null | wc -l))) $(grep -vxcFf all got)"; done
-1 0
-1 0
-1 0

$ tar -xJf $TOP/testdata/captures/ctf/chains.tar.xz; mv ctf-chains/perf_stream_0 whole; for n in 30000 9000 60; do head -c $n whole >ctf-chains/perf_stream_0; obit ctf-chains -c 'trace show --no-header' 2>&1 >got; echo "$? $(grep -c '^ .*\[00' got)"; done
warning: 'ctf-chains/metadata': stream 'perf_stream_0' is cut off at 30000 bytes, in packet 1: all of its events can be read
4 139
warning: 'ctf-chains/metadata': stream 'perf_stream_0' is cut off at 9000 bytes, in packet 1: its events in front of that can be read
4 126
warning: 'ctf-chains/metadata': stream 'perf_stream_0' of 60 bytes: no packet in it can be read
4 76

# In LTTng's shapes (testdata/captures/ctf/lttng.py): heads of 5 and 27 bits, contexts, names. Each row is babeltrace2's, whose
# text is committed, and so it is when babeltrace2 has written the trace anew, in two streams with a metadata of its own.
$ tar -xJf $TOP/testdata/captures/ctf/lttng.tar.xz; rows() { python3 $TOP/testdata/captures/ctf/lttng_rows.py; }; xz -dc $TOP/testdata/captures/ctf/lttng.txt.xz | rows >want; babeltrace2 --clock-seconds --no-delta lttng 2>/dev/null | rows | cmp - want; obit --json lttng -c 'trace show' | rows | cmp - want; babeltrace2 lttng -o ctf -w anew >out 2>&1; obit --json anew/* -c 'trace show' | rows | cmp - want; wc -l <want
96

# Cut in the head of the third packet, in its padding, and where it ends: each packet has twelve events, the other stream 48.
$ tar -xJf $TOP/testdata/captures/ctf/lttng.tar.xz; mv lttng/channel0_1 whole; for n in 8282 12188 12288; do head -c $n whole >lttng/channel0_1; obit --no-rc lttng -c 'trace show --no-header' 2>&1 >got; echo "$? $(grep -c '\[00' got)"; done
warning: 'lttng/metadata': stream 'channel0_1' is cut off at 8282 bytes, in packet 3: its events in front of that can be read
4 72
warning: 'lttng/metadata': stream 'channel0_1' is cut off at 12188 bytes, in packet 3: all of its events can be read
4 84
0 84

# A metadata that says nothing.
$ mkdir broken; echo '/* CTF 1.8 */ trace {' >broken/metadata; obit broken -c 'trace show'
status: 4
...

# An event without a head and members takes no bit, and the library finds one behind the other for ever: it is told, at once.
$ mkdir endless; printf '/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\nstream { };\nevent { name = x; id = 0; fields := struct { }; };\n' >endless/metadata; printf 12345678 >endless/stream; timeout 30 obit endless/metadata -c 'trace show --no-header' 2>&1 >shown | sed 's/[1-9][0-9]* events/N events/'; grep -c x shown | grep -c '^[1-9]'
warning: 'endless/metadata': its events take no room, and so have no end; N events before that
1
