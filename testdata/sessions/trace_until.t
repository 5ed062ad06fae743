# trace show --until panic. The kernel's last word is said in the log's clock, and on x86 the trace's may be another: that of
# the first two guests is up to a second ahead. The function that called panic() was entered before that word.
guest: trace-amd64-6.12 trace-amd64-7.2 trace-amd64-6.1 amd64-5.10-graph
form: vmlinux

$ obit "$VMLINUX" "$VMCORE" -c 'trace show --until panic' 2>/dev/null | grep -c 'sysrq_handle_crash() {'
1
