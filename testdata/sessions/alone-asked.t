# What died on this machine, where somebody asked for the crash: the log beside the dump does not tell what was wrong before, the
# dump does. Two tasks wait for each other's mutex, as the guest's victim says before it does (victim.c: deadlock); in the other
# root is the log alone. Of a dump that is empty it is said once.
guest: victim-amd64-6.12-deadlock
form: vmlinux

$ mkdir -p r/var/crash/202611231031 s/var/crash/202611231031; cp "$VMCORE" r/var/crash/202611231031/dump.1; cp "$GUEST/console.txt" r/var/crash/202611231031/dmesg.1; cp "$GUEST/console.txt" s/var/crash/202611231031/dmesg.1; obit --json --root r | jq -r 'select(.record == "death") | "\(.kind) \(.title | test("deadlock"))"'; obit --json --root s | jq -r 'select(.record == "death") | .kind'; rm r/var/crash/2*/*; : >r/var/crash/202611231031/dump.1; obit --root r | sed 's/.*-  //'
deadlock true
null
(dump.1: it is empty)  r/var/crash/202611231031/dump.1
