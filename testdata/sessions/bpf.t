# BPF, on guests that load what trace/weaver.c has: what is expected is what that source says it puts
# there; that all of it is what bpf(2) said is run-trace's to show.
guest: trace-amd64-6.1 trace-amd64-6.12 trace-arm64-6.1 +trace-amd64-5.10 +trace-amd64-7.2 +trace-amd64-7.3 +trace-arm64-7.2
form: vmlinux

obit> bpf -p weave_run weave_xdp
~ ^ID +TYPE +NAME +TAG +RUNS
~ socket_filter +weave_run +[0-9a-f]+ +5 +
~ xdp +weave_xdp +[0-9a-f]+ .* xdp lo$
? kind("bpf_prog") | map(.uid) == [0, 0]

obit> bpf -m weave_hash
...
? kind("bpf_element") | length == 5
? kind("bpf_element") | map(select(.key == 7))[0].value == {"count": 1000000007, "kind": "WEAVE_WEFT", "comm": "thread1"}
? kind("bpf_element") | map(select(.key == 14))[0].value.comm == "thread2"

obit> bpf -m weave_percpu
? kind("bpf_element") | map([.key, .cpu, .value]) == [[0, 0, 100], [0, 1, 200], [1, 0, 101], [1, 1, 201]]

# Four children, forked from one place; each with 4096 bytes, says the program. The key is the child's
# task, and one may get the memory of another that is gone.
obit> bpf -m weave_leaks
? kind("bpf_element") | length >= 1 and length <= 4 and all(.value.size == 4096 and .value.time == 77)
? kind("bpf_element") as $e | kind("bpf_stack") | length == 1 and .[0].count == ($e | length) and .[0].size == 4096 * ($e | length)
? kind("bpf_stack")[0].stack | map(select(startswith("kernel_clone"))) | length == 1

obit> bpf -m weave_ring
...
note: map 9: what a map of kind 'ringbuf' holds is not read
? kind("bpf_map") | length == 1

obit> bpf -p weave_run nobody_at_all
status: 1
stderr: ~ no BPF program or map is 'nobody_at_all'$
? kind("bpf_prog") | map(.name) == ["weave_run"]

obit> bpf nobody_at_all
status: 1
stderr: ~ no BPF program or map is 'nobody_at_all'
(nothing)
