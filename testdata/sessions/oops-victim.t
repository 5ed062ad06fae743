# A module of ours dies; which function, line and member is known from its source (victim.c).
guest: victim-amd64-6.1-null victim-amd64-6.12-null victim-arm64-6.1-null
form: vmlinux

$ obit --modules "$(jq -r .modules_debug "$GUEST/guest.json")" --json oops "$GUEST/console.txt" "$VMLINUX"
? kind("report")[0] | .kind == "null-deref" and .function == "victim_c" and .pc_function == "victim_c" and .access == "write" and .address == "0x0"
? kind("report")[0] | (.match | test("^exact|^likely")) and (.member | endswith(" is order->target"))
? kind("report")[0].frames | map(select(.func == "victim_c" and (.file | endswith("victim.c")))) | length >= 1
? kind("report")[0].frames | map(select(.func == "victim_thread")) | .[0].file | endswith("victim.c")

# The source around each frame; the line of the crash is the one that writes through the pointer.
$ obit --modules "$(jq -r .modules_debug "$GUEST/guest.json")" --source "$TOP/testdata/guests/victim" oops "$GUEST/console.txt" "$VMLINUX"
...
~ ^ +> +[0-9]+  .*WRITE_ONCE\(\*order->target, \(int\)sum\);
...
~ ^ +> +[0-9]+  .*ret = victim_c\(&note
...

# A module of another build: its build-id in the text is not the file's. That frame has no line, the others have.
$ sed -E 's/(victim_b\+[0-9a-fx]+\/[0-9a-fx]+ \[victim)\]/\1 0123456789abcdef0123456789abcdef01234567]/' "$GUEST/console.txt" | obit --modules "$(jq -r .modules_debug "$GUEST/guest.json")" --json oops - "$VMLINUX"
? kind("report")[0] | .modules_why | test("build-id")
? kind("report")[0].frames | map(select(.func == "victim_b"))[0].file == null
? kind("report")[0].frames | map(select(.func == "victim_thread"))[0].file | endswith("victim.c")
