# The page: read strictly by a program (testdata/faces/read_page.py: every element closed, one script whose hash the policy
# names, nothing loaded), and held against the records. How it looks was looked at in a browser.
guest: victim-amd64-6.1-null victim-amd64-6.12-null victim-arm64-6.1-null victim-amd64-6.12-deadlock jam-locks-amd64-6.12 trace-amd64-6.12
form: vmlinux alone
needs: data

$ obit --json triage --html page.html "$VMLINUX" "$VMCORE" 2>/dev/null >records; python3 "$TOP/testdata/faces/read_page.py" page.html; wc -c <page.html >long; jq -r 'select(.record == "triage_html").bytes' records | cmp - long && echo as long
whole
as long
# what the verdict says stands in the band, and each check is there with its state; those that failed are open
$ grep -m 1 '^<h1>' page.html | python3 -c 'import html, re, sys; sys.stdout.write(html.unescape(re.sub("<[^>]*>", "", sys.stdin.read())))' >h1; jq -r 'select(.record == "verdict").verdict' records | cmp - h1 && echo as said; jq -r 'select(.record == "check") | "\(.state) \(.name)"' records | sort >checks; grep '^<details class="[a-z]*".*class="state"' page.html | sed -E 's/^<details class="([a-z]*)".*<span class="name">([a-z-]*)<.*/\1 \2/' | sort | cmp - checks && echo the same; grep -c '^<details class="fail"><' page.html
as said
the same
0
# all tasks' stacks are there once
$ obit --json "$VMLINUX" "$VMCORE" -c stacks 2>/dev/null | jq -s '[.[] | select(.record == "stack_group").count] | add' >tasks; sed -n 's/^<details[^>]*><summary><b>\([0-9]*\)<.*/\1/p' page.html | jq -s add | cmp - tasks && echo all
all
# and the log, line for line as the command has it; the crash is marked
$ obit "$VMLINUX" "$VMCORE" -c log 2>/dev/null | sed 's| *$||' >log; sed -n '/id="log-lines"/,/^<\/div>$/p' page.html | sed '1d;$d' | python3 -c 'import html, re, sys; sys.stdout.write(html.unescape(re.sub("<[^>]*>", "", sys.stdin.read())))' | sed 's| *$||' | cmp - log && echo as it is; grep -c 'id="crash"' page.html
as it is
1
