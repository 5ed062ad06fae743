# A log in which a kernel, or who writes into its log, means harm: HTML, terminal escapes, workflow commands, fences,
# mentions, ends of CDATA, control characters that XML cannot hold, bytes that are no UTF-8, marks that turn the
# direction of writing. Nothing of it means anything in any language, and every output is valid.
guest: none

$ printf '[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n[    1.000001] CPU: 0 PID: 7 Comm: <b>&"\047\033[31m Not tainted 6.1.0<script>alert(1)</script>\001]]>````@root #1|\377\342\200\256 #1\n[    1.000002] RIP: 0010:f+0x1/0x10\n[    1.000003] Call Trace:\n[    1.000004]  f+0x1/0x10\n[    1.000005]  g+0x2/0x20\n::error file=a,line=1::owned\n</details>\n[    1.000006] Kernel panic - not syncing: ::error::`@root` ]]> <img src=x onerror=alert(1)> \342\200\256\n' >evil.txt; for f in markdown junit sarif github gitlab; do obit triage --$f evil.txt >$f 2>/dev/null; echo $? $(LC_ALL=C tr -d '\n\40-\176' <$f | wc -c) $(grep -c . $f | sed 's/^[1-9].*/some/'); done
0 0 some
0 0 some
0 0 some
0 0 some
0 0 some
$ xmllint --noout --relaxng "$TOP/testdata/faces/junit.rng" junit 2>&1; jq -e . sarif >/dev/null && jq -e . gitlab >/dev/null && echo valid
junit validates
valid
$ grep -c '^::' github; grep -cv '^::' github; grep -c '<script\|<img\|<b>' junit
~ ^[1-9][0-9]*$
0
0
# what needs a dump is no annotation where there is only a text; a test report has each check, as skipped
$ grep -c 'no dump is loaded' github; jq -r '.[].check_name' gitlab; xmllint --xpath 'count(//skipped[@message="no dump is loaded"]) > 15' junit
0
verdict/null-deref
true
# the log is in a block of code that nothing in it ends
$ awk '/^`````text$/ { inside = 1; n++ } /^`````$/ { inside = 0 } /^````$/ && !inside { bad++ } END { print n + 0, inside + 0, bad + 0 }' markdown
1 0 0
