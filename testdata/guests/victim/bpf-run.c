// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a BPF program of two functions, the inner of which asks for the time; without a C library,
// for there is none for the guest's architecture.

typedef unsigned int u32;
typedef unsigned long long u64;

struct insn {
	unsigned char code;
	unsigned char registers; // destination, source << 4
	short offset;
	int immediate;
};

// What bpf(2) calls union bpf_attr, as far as these two commands go; all of its fields stay where
// they are.
struct load {
	u32 type, count;
	u64 insns, license;
	u32 log_level, log_size;
	u64 log;
	u32 version, flags;
	char name[16];
};

struct run {
	u32 fd, result, size_in, size_out;
	u64 data_in, data_out;
	u32 repeat, duration;
};

enum {
	LOAD = 5,
	RUN = 10,
	SOCKET_FILTER = 1,
	KTIME_GET_NS = 5
};

// bpf-run-ARCH.S
long bpf(long command, void *attributes, long size);
void leave(long status);

static const struct insn program[] = {
	{ 0x85, 0x10, 0, 2 },         // call the function two further on
	{ 0x07, 0x00, 0, 1 },         // r0 += 1
	{ 0x95, 0, 0, 0 },            // exit
	{ 0x85, 0, 0, KTIME_GET_NS }, // call the helper
	{ 0x07, 0x00, 0, 2 },         // r0 += 2
	{ 0x95, 0, 0, 0 },            // exit
};

static char packet[64];

void _start(void)
{
	static struct load load = { .type = SOCKET_FILTER, .name = "victim" };
	static struct run run = { .size_in = sizeof(packet), .repeat = 1 };
	long fd;

	load.count = sizeof(program) / sizeof(program[0]);
	load.insns = (u64)(unsigned long)program;
	load.license = (u64)(unsigned long)"GPL";
	fd = bpf(LOAD, &load, sizeof(load));
	if (fd >= 0) {
		run.fd = (u32)fd;
		run.data_in = (u64)(unsigned long)packet;
		fd = bpf(RUN, &run, sizeof(run));
	}
	leave(fd < 0 ? -fd : 0);
}
