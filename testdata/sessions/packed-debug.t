# A vmlinux whose debug info is compressed (CONFIG_DEBUG_INFO_COMPRESSED). The line is the one that was
# written, and addr2line's; a compression that libelf does not know is named.
guest: none

$ printf 'int f(int x)\n{\n\treturn x + 1;\n}\n__attribute__((section(".init.text"))) int main(void)\n{\n\treturn f(1);\n}\n' >a.c; gcc -g -O1 -fno-inline a.c -o plain; objcopy --compress-debug-sections=zlib plain packed; readelf -S packed | grep -A1 '\.debug_info' | grep -c ' C '; obit packed -c 'line f+1'; addr2line -e plain $(nm plain | sed -n 's/ T f$//p') | sed 's/.*\///; s/ .*//'
1
f+1:
  f at a.c:3
a.c:3

$ printf 'int f(int x)\n{\n\treturn x + 1;\n}\n__attribute__((section(".init.text"))) int main(void)\n{\n\treturn f(1);\n}\n' >a.c; gcc -g -O1 -fno-inline a.c -o other; objcopy --compress-debug-sections=zlib other; i=$((0x$(readelf -SW other | sed -n 's/.* \.debug_info *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p'))); printf '\377' | dd of=other bs=1 seek=$i conv=notrunc 2>/dev/null; obit other -c 'line f+1'
status: 1
stderr: ~ compressed in a way that this libelf does not know
(nothing)
