# A file system whose error somebody triggered (/sys/fs/ext4/loop0/trigger_fs_error): ext4 counts it and notes where, and
# its journal is aborted, with errors=panic as with errors=remount-ro (fs/ext4/super.c, ext4_handle_error()).
guest: death-fserror-amd64-6.12 +death-readonly-amd64-6.12
form: vmlinux alone

obit> triage
...
? kind("check") | map(select(.name == "fs")) | .[0].state == "warn" and (.[0].text | test("ext4 loop0 at /mnt: .*count of errors is 1, the last in trigger_test_error\\(\\); its journal was aborted"))
