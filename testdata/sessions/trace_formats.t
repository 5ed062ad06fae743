# Formats of events. That all equal the kernel's own files, run-trace shows; here, what
# include/trace/events/irq.h defines.
guest: amd64-6.1-kdump amd64-6.1-elf +amd64-5.10-graph +amd64-7.2-graph +amd64-7.3-graph
form: vmlinux alone

obit> trace formats softirq_entry
~ ^name: softirq_entry$
~ ^ID: [0-9]+$
format:
~ field:unsigned short common_type;	offset:0;	size:2;	signed:0;
~ field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
~ field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
~ field:int common_pid;	offset:4;	size:4;	signed:1;
\
~ field:unsigned int vec;	offset:8;	size:4;	signed:0;
\
~ ^print fmt: "vec=%u .action=%s.", REC->vec, __print_symbolic
\

obit> trace formats 'irq:*' softirq_entry
? kind("trace_format") | all(.system == "irq")
? kind("trace_format") | map(.event) | index("irq_handler_entry") and index("softirq_raise")
? kind("trace_format") | map(.id) | . == unique

obit> trace formats nothing_of_the_kind
status: 1
stderr: ~ no event 'nothing_of_the_kind' has a format here

obit> trace formats nothing_of_the_kind softirq_entry
status: 1
stderr: ~ no event 'nothing_of_the_kind' has a format here
? kind("trace_format") | map(.event) == ["softirq_entry"]
