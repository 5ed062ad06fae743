# A trace.dat of version 7 has the table of its CPUs' pages at its end: of one that is cut off, what is whole is there all
# the same. trace-cmd makes the file and says what is in it; it reads none that is cut.
guest: none

# Within the pages of the second CPU: all of the first, and of the second nothing but what is there, in order.
$ xz -dc $TOP/testdata/captures/trace/events.dat.xz >e.dat; for pack in none zstd; do trace-cmd convert -i e.dat -o 7.dat --file-version 7 --compression $pack >/dev/null 2>&1; trace-cmd report -t 7.dat 2>/dev/null | sed -nE 's/^.*-([0-9]+) +\[0*([0-9]+)\] .* ([0-9]+)\.([0-9]{9}): *([^ :]+):.*/\2 \1 \3\4 \5/p' >all; size=$(wc -c <7.dat); cut=$((size - 40000)); test $pack = none || cut=$((size - 5000)); head -c $cut 7.dat >t.dat; obit --json t.dat -c 'trace show' >json; echo $?; jq -r 'select(.record == "event") | "\(.cpu) \(.pid) \(.time_ns) \(.event)"' json >got; for cpu in 0 1; do grep "^$cpu " all >w; grep "^$cpu " got >g; head -$(wc -l <g) w | cmp - g; echo $cpu $(wc -l <w) $(wc -l <g) | awk '{ print $1, $3 == $2 ? "all" : $3 < 1000 ? "few" : "some" }'; done; done
4
0 all
1 some
4
0 all
1 some
