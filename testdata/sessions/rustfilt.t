# Rust's names. The first is RFC 2603's own example.
guest: amd64-6.1-elf
form: vmlinux

obit> rustfilt _RNvCskwGfYPst2Cb_3foo16example_function
foo::example_function
? kind("rust_name") | .[0].symbol == "_RNvCskwGfYPst2Cb_3foo16example_function"

obit> rustfilt jiffies
status: 1
stderr: ~ no mangled name
(nothing)

obit> rustfilt
status: 2
(nothing)
