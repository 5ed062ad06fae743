# What was being traced. The guests of testdata/guests/list trace nothing, or function_graph; that the
# counters and settings are those that tracefs had is run-trace's to show.
guest: amd64-6.1-kdump amd64-6.1-elf +amd64-5.10-graph +amd64-7.2-graph +amd64-7.3-graph
form: vmlinux alone

obit> trace
~ ^top: tracer [a-z_]+, clock [a-z]+, recording, overwriting(, [0-9]+ stale events \(--stale\))?$
~ ^CPU +EVENTS +ENTRIES +OVERRUN +DROPPED
...
~ ^    trace_options: print-parent, .*$
? kind("trace_buffer") | length == 1 and .[0].tracer == ($guest.tracer // "nop")
? kind("trace_cpu") | map(.cpu) == [0, 1]
# what is in the buffer is what was written, but for what newer events took the place of
? kind("trace_cpu") | all(.events == .entries - .overrun - .read)
? kind("trace_setting") | map(select(.setting == "trace_options")) | .[0].values | index("overwrite")

obit> trace -i nowhere
status: 1
stderr: ~ no instance 'nowhere' was traced
