# A module of ours dies; which function, line and member is known from its source (victim.c).
guest: victim-amd64-6.1-null victim-amd64-6.12-null victim-arm64-6.1-null
form: vmlinux

$ obit --modules "$(jq -r .modules_debug "$GUEST/guest.json")" --json oops "$GUEST/console.txt" "$VMLINUX"
? kind("report")[0] | .kind == "null-deref" and .function == "victim_c" and .pc_function == "victim_c" and .access == "write" and .address == "0x0"
? kind("report")[0] | (.match | test("^exact|^likely")) and (.member | endswith(" is order->target"))
? kind("report")[0].frames | map(select(.func == "victim_c" and (.file | endswith("victim.c")))) | length >= 1
? kind("report")[0].frames | map(select(.func == "victim_thread")) | .[0].file | endswith("victim.c")
