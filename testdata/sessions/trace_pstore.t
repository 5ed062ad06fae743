# Calls of the function tracer in a pstore region, as a recording. Expected: testdata/captures/ramoops
# says what was written: 2728 calls whose stamps run to 5000 in made-6.1 (see the test of `pstore
# ftrace`, which reads the zones by itself).
guest: none

# Every call, in order, with its CPU and addresses.
$ gzip -dc "$TOP/testdata/captures/ramoops/made-6.1/image.gz" >img; obit --json img -c 'pstore ftrace' | jq -c 'select(.record == "event") | [.stamp, .cpu, .ip, .parent_ip]' >want; obit --json img -c 'trace show' | jq -c 'select(.record == "event") | [.time_ns, .cpu, .fields.ip, .fields.parent_ip]' | cmp - want && grep -c . want
2728

# No task, no time and no flags are told, for none were kept.
$ gzip -dc "$TOP/testdata/captures/ramoops/made-6.1/image.gz" >img; obit --json img -c 'trace show -n 1' | jq -c 'select(.record == "event") | [.pid, .comm, .flags, .event, .time_ns, .instance]'; obit img -c 'trace show -n 1 --no-header' 2>/dev/null
[null,null,null,"function",5000,"pstore"]
           <...>-?       [000]          5000: 0xffffffff82713880 <-0xffffffff82714885

# What is counted of all recordings is counted of this one.
$ gzip -dc "$TOP/testdata/captures/ramoops/made-6.1/image.gz" >img; obit --json img -c 'trace stat --cpus' | jq -c '[.cpu, .count]'; obit --json img -c 'pstore ftrace' | jq -c 'select(.record == "event") | .cpu' | sort | uniq -c | awk '{ print "[" $2 "," $1 "]" }'
[0,1364]
[1,1364]
[0,1364]
[1,1364]

# A region without calls.
$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" >img; obit img -c 'trace show'
status: 1
stderr: ~ nothing that was traced is loaded
(nothing)
