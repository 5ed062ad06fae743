# Symbols of modules: names and addresses are in the guest's /proc/kallsyms with the module's name.
guest: all
form: vmlinux

# "$x" and "$d" are marks of assemblers of arm64 and riscv64, and what begins with .L is a label: no names
obit> sym -m loop
...
? . as $out | $said.symbols | lines | map(select(endswith("[loop]")) | split("\t")[0] | split(" ") | select((.[1] | test("^[tT]$")) and (.[2] | startswith("$") or startswith(".L") | not)) | "\(.[2]) 0x\(.[0] | ltrimstr("00000"))") | length > 5 and (. - ($out | kind("symbol") | map("\(.name) \(.addr)"))) == []
? kind("symbol") | all(.module == "loop")

# an address in a module's code
obit> sym loop_queue_rq
? kind("symbol")[0] | .name == "loop_queue_rq" and .module == "loop"
