# trace export -o x.svg and x.html: what is drawn is what trace-cmd's words say.
guest: none

# Each turn of a task longer than 2 ms between two switches, as awk finds them in what trace-cmd prints, has a bar that begins
# with it, on its CPU. The wakeups that had to wait longest have arrows, each from a wakeup that trace-cmd prints.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace export -o p.svg --since -200ms'; xmllint --noout p.svg && echo well-formed; trace-cmd report -t t.dat 2>/dev/null >words; end=$(awk 'match($0, / [0-9]+\.[0-9]{9}: /) { t = substr($0, RSTART, RLENGTH - 2) } END { print t }' words); awk -v since="$end" 'BEGIN { since -= 0.2 } / sched_switch: / { match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0; match($0, / [0-9]+\.[0-9]{9}: /); t = substr($0, RSTART + 1, RLENGTH - 3); if (cpu in from && from[cpu] >= since && t - from[cpu] > 0.002 && pid[cpu] != 0) printf "%s-%s on CPU %d from %.6f\n", comm[cpu], pid[cpu], cpu, int(from[cpu] * 1e6) / 1e6; split($0, side, "==> "); split(side[2], word, /[:\[ ]/); comm[cpu] = word[1]; pid[cpu] = word[2]; from[cpu] = t }' words | sort >want; sed -n 's/^<g><title>\([^<]*\) on CPU \([0-9]*\), [^<]*, from \([0-9.]*\)<.*/\1 on CPU \2 from \3/p' p.svg | sort -u >bars; test -s want && comm -23 want bars; sed -n 's/^<g><title>[^<]*-\([0-9]*\) was woken on CPU \([0-9]*\) at \([0-9.]*\), .*/\1 \3/p' p.svg >woken; test -s woken && while read -r pid t; do grep "$t" words | grep -q "sched_wak.*:$pid \|sched_wak.*pid=$pid " || echo "no wakeup of $pid at $t"; done <woken
p.svg: svg, 1371 events of 1 buffers
well-formed

# As a page it is read strictly: it has one script, which its policy names by its digest, and asks no network for anything.
# What it looks like, and what the script does, run-faces tries in a browser.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace export -o p.html' | grep -c html; python3 "$TOP/testdata/faces/read_page.py" p.html; obit t.dat -c 'trace export -o p.svg' >/dev/null; grep -ciE '<script|https?://[^w]' p.svg; grep -c '<rect' p.html | awk '{ print $1 < 5000 }'
1
whole
0
1

# Idle is drawn where trace-cmd prints a switch to an idle task, up to the next switch, and nowhere else.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -t t.dat 2>/dev/null >words; obit t.dat -c 'trace export -o p.html --since 0.000001' >/dev/null; python3 "$TOP/testdata/captures/trace/idle.py" words p.html
0 True True
1 True True

# Nothing to draw is said, and no file is left.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace export -o p.svg --comm nobody_*'; s=$?; ls p.svg 2>/dev/null; exit $s
status: 1
stderr: ~ nothing to draw
(nothing)
