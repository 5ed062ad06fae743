# Help is made of the command table, needs no dump, and knows every command.
guest: none

obit> help
...
~ bt
...

# what a newcomer needs comes first, and each command is in its group once
$ obit -c help | sed -n '2,7s/^  \([a-z]*\)  .*/\1/p' | tr '\n' ' '; obit --list-commands --json | jq -r 'select(.record == "command").name' | LC_ALL=C sort >names; wide=$(awk '{ if (length > n) n = length } END { print n + 2 }' names); obit -c help | sed -n '9,$s/^  \([a-z]\)/\1/p' | sed '/^help CMD/d' | cut -c "1-$((wide - 2))" | sed 's/ *$//' | LC_ALL=C sort | diff names - && echo all
triage sys log bt ps oops all

obit> help bt
...
~ backtrace
...

obit> ps --help
...
~ ps
...

obit> help no_such_command
status: 1
stderr: ~ no_such_command
(nothing)

# each command of the table has its page
$ obit --list-commands --json | jq -r 'select(.record == "command") | .name' | while read -r c; do obit -c "help $c" | grep -q . || echo "no help of $c"; done
(nothing)

# A page says what the command does, then shows it, then has the options; the table says what must be there. Fields of
# records would be most of it: they have a page of their own, and all together another one.
$ obit --list-commands --json | jq -r 'select(.record == "command") | [.name, (["NAME", "SYNOPSIS", "DESCRIPTION", if .examples == [] then empty else "EXAMPLES" end, if .options == [] then empty else "OPTIONS" end, if .emits == [] then empty else "RECORDS" end] | join(" "))] | @tsv' | while IFS="$(printf '\t')" read -r c order; do obit -c "help $c" | grep -xE 'NAME|SYNOPSIS|DESCRIPTION|EXAMPLES|OPTIONS|RECORDS' | tr '\n' ' ' | grep -qx "$order " || echo "$c: not in the order of $order"; done; obit -c 'help ps' | grep 'process or thread ID'; :
(nothing)

$ obit --list-commands --json | jq -r 'select(.record == "command") | .name as $n | .emits[] | "\($n) \(.name) \(.fields | length)"' | LC_ALL=C sort >wanted; for c in ps bt 'trace show' triage; do obit -c "help -r $c" | awk -v c="$c" '/^  "/ { if (k) print c, k, n; k = $1; gsub(/[":]/, "", k); n = 0 } /^    [a-z]/ { n++ } END { print c, k, n }'; done | LC_ALL=C sort | LC_ALL=C comm -23 - wanted
(nothing)

$ obit --list-commands --json | jq -r '(.common // .emits)[] | .name as $k | .fields[] | "\($k) \(.name) \(.kind)"' | LC_ALL=C sort -u >wanted; obit -c 'help -r' | awk '/^  "/ { k = $1; gsub(/[":]/, "", k) } /^    [a-z.]/ { print k, $1, $2 }' | LC_ALL=C sort -u | diff wanted - && obit -c 'help -r' | grep -A 7 '"count":' | grep -x '    (count)'
\    (count)

# The schema says of an option what it takes, as its help page shows it: nothing, a text, one or several times, a number, or
# how often it was given.
$ obit --list-commands --json | jq -r 'select(.record == "command") | .name as $n | .options[] | "\($n) \(.option): \(.kind)"' | grep -xE '(bt -l|trace show (-F|-i|-n)|rd -S): .*'
bt -l: flag
rd -S: count
trace show -i: string
trace show -F: strings
trace show -n: unsigned

# Each architecture has registers of its own, a kind of record each; their name stands on the page once.
$ obit -c 'help bt' -c 'help frame' -c 'help regs' | sed -n '/^RECORDS/,/help -r/p' | grep -o '\<registers\>'
registers
registers
registers
