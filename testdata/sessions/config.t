# The configuration: read by the prompt, and by nothing else unless --config names a file: a program that asks a
# question gets the same answer wherever it runs. Whose file is read, config_test.c tests.
guest: none

$ mkdir -p home/.config/obit; export HOME=$PWD/home XDG_CONFIG_HOME=; printf 'color = always\nmistake\n' >home/.config/obit/config; chmod 600 home/.config/obit/config; x=$TOP/testdata/captures/oops/x86-null.txt; esc=$(printf '\033'); obit -c nope 2>&1 | grep -c "$esc"; echo nope | obit 2>&1 | grep -c "$esc"; obit oops "$x" 2>&1 | grep -ce "$esc" -e mistake; obit --json -c help 2>&1 | grep -c mistake; :
0
0
0
0

$ mkdir -p home/.config/obit; export HOME=$PWD/home XDG_CONFIG_HOME=; echo mistake >home/.config/obit/config; chmod 600 home/.config/obit/config; for o in -s --no-rc; do echo quit | script -qec "obit -s $o $TOP/testdata/captures/trace/events.dat.xz" /dev/null | grep -c "/home/.config/obit/config:1: 'name = value' is expected"; done; :
1
0

# what is named is read everywhere; options count more than it; a mistake is wrong usage
$ esc=$(printf '\033'); printf '# mine\n\ncolor = always\n' >a; obit --config a -c nope 2>&1 | grep -c "$esc"; obit --config a --color never -c nope 2>&1 | grep -c "$esc"; obit --no-rc --config=a -c nope 2>&1 | grep -c "$esc"; :
1
0
1

$ echo 'colour = always' >a; obit --config a -c '! echo no'
status: 2
stderr: ~ ^a:1: no setting 'colour'
(nothing)

$ obit --config nowhere -c '! echo no'
status: 2
stderr: ~ cannot read 'nowhere'
(nothing)

$ obit --config . -c '! echo no'
status: 2
stderr: cannot read '.': Is a directory
(nothing)

# pager: the configured one is used before $PAGER, and after $OBIT_PAGER
$ echo 'pager = echo configured; cat >/dev/null; :' >a; export PAGER='echo common; cat >/dev/null; :'; press() { python3 "$TOP/testdata/terminal/press.py" 80x10 'help\n' -- obit --no-rc "$@" "$TOP/testdata/captures/trace/events.dat.xz" | grep -oE '^(configured|common|own)'; }; press; press --config a; OBIT_PAGER='echo own; cat >/dev/null; :' press --config a; :
common
configured
own
