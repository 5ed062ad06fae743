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
