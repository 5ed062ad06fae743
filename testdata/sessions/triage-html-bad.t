# A page that cannot be written is not there, and one that would be written over an input is refused. The limit of a
# file's size (ulimit -f) stands for a disk that is full.
guest: none

$ printf '[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n[    1.000001] CPU: 0 PID: 7 Comm: a\n[    1.000002] RIP: 0010:f+0x1/0x10\n[    1.000003] Call Trace:\n[    1.000004]  f+0x1/0x10\n[    1.000006] Kernel panic - not syncing: Fatal exception\n' >oops.txt; trap '' XFSZ; (ulimit -f 4; obit triage --html page.html oops.txt >screen); echo $?; head -c 4 screen; ls
stderr: ~ ^triage: cannot write 'page.html': File too large$
1
DEADoops.txt
screen
$ obit triage --html /dev/full oops.txt >screen; echo $?
stderr: ~ ^triage: cannot write '/dev/full': No space left on device$
1
$ ln oops.txt same.txt; cksum <oops.txt >before; obit triage --html same.txt oops.txt >screen 2>why; echo $?; head -n 1 why; cksum <oops.txt | cmp - before && echo as it was
2
triage: 'same.txt' is an input: it is not written over
as it was
# a name that begins with a dash, or has a newline; together with another language, on whose lines nothing follows
$ obit triage --html=-x oops.txt >/dev/null; obit triage --html "$(printf 'a\nb')" --junit oops.txt | tail -n 1; ls -b | grep -c -e '^-x$' -e '^a.nb$'
</testsuites>
2

# What a hostile kernel wrote does nothing, and stands there.
$ printf '[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n[    1.000001] CPU: 0 PID: 7 Comm: <b>&"\047\033[31m Not tainted 6.1.0<script>alert(1)</script>\001]]>--><!--@root #1|\377\342\200\256 #1\n[    1.000002] RIP: 0010:f+0x1/0x10\n[    1.000003] Call Trace:\n[    1.000004]  f+0x1/0x10\n[    1.000005]  g+0x2/0x20\n</style></div></details></main></script>\n[    1.000006] Kernel panic - not syncing: " onload=alert(1) x="<img src=x onerror=alert(1)> \342\200\256\n' >evil.txt; obit triage --html page.html evil.txt >/dev/null 2>&1; python3 "$TOP/testdata/faces/read_page.py" page.html; grep -c '<script>' page.html; LC_ALL=C tr -d '\n\40-\176' <page.html | wc -c; grep -c '&lt;/style&gt;&lt;/div&gt;' page.html
whole
1
0
1

# A log of 12 MB: the page has its end and the crash, and says what it has no room for.
$ awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[    0.%06d] a line of a log that goes on and on, about nothing that matters to anybody at all: %d\n", i, i; print "[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n[    1.000001] CPU: 0 PID: 7 Comm: a\n[    1.000002] RIP: 0010:f+0x1/0x10\n[    1.000003] Call Trace:\n[    1.000004]  f+0x1/0x10\n[    1.000006] Kernel panic - not syncing: Fatal exception"; for (i = 0; i < 30000; i++) printf "[    2.%06d] a line of a log that goes on and on, about nothing that matters to anybody at all: %d\n", i, i }' >long.txt; obit triage --html page.html long.txt >/dev/null; python3 "$TOP/testdata/faces/read_page.py" page.html; grep -c 'id="crash">\[    1.000000\] BUG' page.html; grep -c ' lines were left out)' page.html; test $(wc -c <page.html) -lt 5000000 && echo short
whole
1
2
short
