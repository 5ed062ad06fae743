# Nowhere to write: a disk that is full (/dev/full says what such a disk says), and a file that may grow no further (ulimit
# -f). What cannot be written is said, in one line, and the exit status is 1; a share, too, tells the batch system. (Of
# pages, triage-html-bad.t asks.)
guest: none

$ printf '[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n[    1.000001] CPU: 0 PID: 7 Comm: a\n[    1.000002] RIP: 0010:f+0x1/0x10\n[    1.000003] Call Trace:\n[    1.000004]  f+0x1/0x10\n[    1.000006] Kernel panic - not syncing: Fatal exception\n' >oops.txt; mkdir d; for i in 1 2 3 4 5 6 7 8 9; do cp oops.txt d/$i; done
(nothing)
$ for o in --markdown --junit --sarif --github --gitlab --full; do obit triage $o oops.txt 2>&1 >/dev/full; echo $?; done | sort | uniq -c | sed 's/^ *//'; for o in '' --json; do obit $o triage d 2>&1 >/dev/full; echo $?; done
6 1
6 obit: cannot write the output: No space left on device
obit: cannot write the output: No space left on device
1
obit: cannot write the output: No space left on device
1
# the answers of many, where a device is not read for what was done before
$ obit triage --resume /dev/full d 2>&1 >/dev/null; echo $?; obit triage --share 1/1 --resume /dev/full d 2>&1 >/dev/null; echo $?; obit triage --resume /dev/null d | tail -n 1
obit: cannot write '/dev/full': No space left on device
1
obit: cannot write '/dev/full': No space left on device
1
9 crashes of 1 bug
# what fitted is kept; once there is room the rest is done, and nothing twice
$ trap '' XFSZ; (ulimit -f 8; obit triage -j 1 --resume kept d >/dev/null 2>why); echo $?; cat why; test $(grep -c . kept) -lt 9 && echo not all; obit triage --resume kept d | tail -n 1 | sed 's/; [1-9] done before/; some done before/'; jq -r .path kept | sort | tr '\n' ' '; echo
1
obit: cannot write 'kept': File too large
not all
9 crashes of 1 bug; some done before
~ ^d/1 d/2 d/3 d/4 d/5 d/6 d/7 d/8 d/9 $
# what is not of obit's making is neither read nor written
$ cp oops.txt mine; obit triage --resume mine d 2>&1; echo $?; cmp mine oops.txt && echo kept; truncate -s 100M holes; obit triage --resume holes d 2>&1; echo $?; test $(wc -c <holes) -eq 104857600 && echo kept; printf '{"a":1}' >json; obit triage --resume json d 2>&1; echo $?; cat json
obit: 'mine' does not begin with a record of obit's
2
kept
obit: 'holes' does not begin with a record of obit's
2
kept
obit: 'json' does not end with a record of obit's
2
{"a":1}
