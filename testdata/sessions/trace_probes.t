# trace: how often dynamic events were met, as the kernel's own kprobe_profile and uprobe_profile had it. Those that were off
# by then have been met as often; the others, which were met on the way to the crash as well, at least so often.
guest: trace-amd64-6.12 trace-amd64-6.1 +trace-amd64-5.10 +trace-amd64-7.2 +trace-arm64-7.2
form: vmlinux

$ obit --json "$VMLINUX" "$VMCORE" -c trace 2>/dev/null | jq -r 'select(.record == "trace_probe" and .hits != null) | "\(.definition | sub("^[^/]*/"; "") | sub(" .*"; "")) \(.hits)"' | sort >hits; { awk '{ print $1, $2 }' "$GUEST/testimony/kprobe_profile"; awk '{ print $2, $3 }' "$GUEST/testimony/uprobe_profile"; } | sort >told; join told hits >both; [ "$(wc -l <told)" = "$(wc -l <both)" ] && echo all; awk '($1 == "p_off" || $1 == "r_vfs") && $2 != $3 { print } $3 < $2 { print }' both
all
