# What was open at the crash. That these functions were entered and not left is the kernel's own call
# trace's word (trace.txt); function_graph traced those of them that the guest's filter names.
guest: amd64-6.1-kdump amd64-6.1-elf +amd64-5.10-graph +amd64-6.12-graph +amd64-7.2-graph +amd64-7.3-graph +arm64-6.12-graph +arm64-7.2-graph
form: vmlinux alone

obit> trace last
~ ^CPU 0: .*[(]pid [0-9]+[)]
...
? kind("trace_last") | map(.cpu) == [0, 1]
# the crasher's functions in the order of the kernel's trace, where function_graph ran
? $guest.tracer == null or ((kind("trace_last") | map(select(.comm == "crasher")) | .[0].cpu) as $c | (kind("trace_open") | map(select(.cpu == $c)) | map(.function)) as $f | ($f | index("ksys_write")) > ($f | index("proc_reg_write")))
? kind("trace_open") | all(.running_ns == null or .running_ns >= 0)
? $guest.tracer != null or (kind("trace_open") | length == 0)
