# trace carve in a file: a recording of trace-cmd's, whose pages lie at multiples of 4096 bytes.
# Expected: all of its events, from its own report.
guest: none

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit --json -c 'trace carve --min 1 t.dat' -c 'trace stat -i carved' t.dat | jq -r 'select(.record == "trace_carve" or .record == "trace_summary") | .events'
12881
12881

# Nothing to be found in a text, and nothing to look at without a dump.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" >report; obit --json -c 'trace carve report' t.dat | jq .pages; obit -c 'trace carve' t.dat
status: 1
stderr: ~ no memory is loaded
0
