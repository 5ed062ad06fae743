# What is not read names what makes something of it that is; the beginnings are those of the formats.
guest: none

$ printf '2ELIFREP%096d' 0 >t.data; obit t.data -c trace
status: 3
stderr: ~ other byte order.*`perf script`

$ printf '\301\037\374\301%0100d' 0 >stream_0; obit stream_0 -c trace
status: 3
stderr: ~ one stream of a CTF trace: give the folder

# Two packets of Perfetto's, of three and two bytes; one alone may be anything.
$ printf '\n\003\030\001\001\n\002\070\001\n\377' >t.pftrace; obit t.pftrace -c trace
status: 3
stderr: ~ `traceconv json`

$ printf '\n\003\030\001\001\377\377\377\377\377' >t.bin; obit t.bin -c trace
status: 3
stderr: ~ is not a file obit knows

$ printf '\007taei%0100d' 0 >t.blktrace.0; obit t.blktrace.0 -c trace
status: 3
stderr: ~ blkparse

$ printf '\027\010\104tracing8\000\000\010\000\020\000\000' >t.dat; obit t.dat -c trace
status: 3
stderr: ~ `trace-cmd convert --file-version 7`

# The recording is of the CPUs 0 and 1, as trace-cmd's report of it has them, and no kernel has an event 'nosuch': what is not
# there to be asked for is refused, and so are lists of nothing. Where nothing passes that might have, that is said below the head.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; for o in '-C 9' '-C 0,9' '-e nosuch' '-e sched_switch,nosuch' "-e ''" "-C ''" "-p ,"; do obit t.dat -c "trace show $o" 2>&1 | grep -v '^usage'; done; obit t.dat -c 'trace stat -C 0-63; trace stat' | grep -c EVENTS
trace show: no CPU 9 was traced; 'trace stat' shows which were
trace show: no CPU 9 was traced; 'trace stat' shows which were
trace show: no event 'nosuch' is known; 'trace formats' lists them
trace show: no event 'nosuch' is known; 'trace formats' lists them
trace show: -p, --comm and -e need words, and none is there
trace show: '' is no list of CPUs as 0,2-3
trace show: -p, --comm and -e need words, and none is there
2

# Two hours before the end there was no recording yet, which is no reason to show all of it.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; for o in 'show -p 99999' 'show --until -99999s' 'show --until 0' 'replay --comm nobody'; do obit t.dat -c "trace $o" | grep -v '^#'; done; obit t.dat -c 'trace latency -C 0' 2>&1 | head -n 1
no such event
no such event
no such event
no such event
trace latency: of which events? 'trace latency --list' has pairs by name

# What perf counted has a name and no format: it may be asked for all the same. perf script has no other event in this file.
$ xz -dc "$TOP/testdata/captures/perf/clock.data.xz" >t.data; for e in cpu-clock nosuch; do obit t.data -c "trace show --no-header -e $e" | sed -n '1s/.* \(cpu-clock\):.*/\1/p; s/^no such event/&/p'; done
cpu-clock
no such event
