# trace stack: as the kernel printed tracefs' stack_trace, when the stack tracer had been switched off.
guest: trace-amd64-6.12-stale
form: vmlinux

$ obit --json "$VMLINUX" "$VMCORE" -c 'trace stack' | jq -r 'select(.record == "trace_stack_entry") | "\(.n)) \(.depth) \(.size) \(.location | sub("/.*"; ""))"' >ours; sed -n 's/^ *\([0-9]*)\) *\([0-9]*\) *\([0-9]*\) *\([^/]*\)\/.*/\1 \2 \3 \4/p' "$GUEST/testimony/stack_trace" >told; test -s told && diff told ours && echo same; obit "$VMLINUX" "$VMCORE" -c 'trace stack' | sed -n 's/^ *MAX SIZE: *//p' | cmp - "$GUEST/testimony/stack_max_size" && echo as deep
same
as deep
