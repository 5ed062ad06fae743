// SPDX-License-Identifier: GPL-3.0-or-later
// Loads BPF programs and maps of known contents, tells what the kernel says of them, and keeps
// them.

#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int tell_error(const char *what)
{
	fprintf(stderr, "weaver: %s: %m\n", what);
	return -1;
}

// ---- types

static const char strings[] =
	"\0unsigned int\0unsigned long long\0int\0char\0weave\0count\0kind\0"
	"comm\0leak\0size\0time\0stack_id\0weave_kind\0WEAVE_WARP\0WEAVE_WEFT";

static uint32_t name_of(const char *s)
{
	for (size_t i = 0; i < sizeof(strings); i += strlen(strings + i) + 1)
		if (!strcmp(strings + i, s))
			return (uint32_t)i;
	abort();
}

enum {
	T_UINT = 1,
	T_U64,
	T_INT,
	T_CHAR,
	T_COMM,
	T_KIND,
	T_WEAVE,
	T_LEAK
};

static uint32_t words[256];
static unsigned n_words;

static void put(uint32_t word)
{
	words[n_words++] = word;
}

static void put_type(const char *name, unsigned kind, unsigned members, uint32_t size)
{
	put(name ? name_of(name) : 0);
	put(kind << 24 | members);
	put(size);
}

static void put_int(const char *name, uint32_t size, unsigned encoding)
{
	put_type(name, BTF_KIND_INT, 0, size);
	put(encoding << 24 | size * 8);
}

static void put_member(const char *name, uint32_t type, uint32_t bit)
{
	put(name_of(name));
	put(type);
	put(bit);
}

static int load_types(void)
{
	static char blob[4096];
	struct btf_header head = { .magic = BTF_MAGIC,
				   .version = BTF_VERSION,
				   .hdr_len = sizeof(head) };
	union bpf_attr attr = { 0 };

	put_int("unsigned int", 4, 0);
	put_int("unsigned long long", 8, 0);
	put_int("int", 4, BTF_INT_SIGNED);
	put_int("char", 1, BTF_INT_SIGNED);
	put_type(NULL, BTF_KIND_ARRAY, 0, 0);
	put(T_CHAR);
	put(T_UINT);
	put(12);
	put_type("weave_kind", BTF_KIND_ENUM, 2, 4);
	put(name_of("WEAVE_WARP"));
	put(1);
	put(name_of("WEAVE_WEFT"));
	put(2);
	put_type("weave", BTF_KIND_STRUCT, 3, 24);
	put_member("count", T_U64, 0);
	put_member("kind", T_KIND, 64);
	put_member("comm", T_COMM, 96);
	put_type("leak", BTF_KIND_STRUCT, 3, 24);
	put_member("size", T_U64, 0);
	put_member("time", T_U64, 64);
	put_member("stack_id", T_INT, 128);
	head.type_len = head.str_off = n_words * 4;
	head.str_len = sizeof(strings);
	memcpy(blob, &head, sizeof(head));
	memcpy(blob + sizeof(head), words, head.type_len);
	memcpy(blob + sizeof(head) + head.str_off, strings, sizeof(strings));
	attr.btf = (uintptr_t)blob;
	attr.btf_size = (uint32_t)(sizeof(head) + head.type_len + sizeof(strings));
	return (int)bpf(BPF_BTF_LOAD, &attr);
}

// ---- maps

struct weave {
	uint64_t count;
	uint32_t kind;
	char comm[12];
};

static int types;

static int make_map(const char *name, unsigned type, unsigned key, unsigned value, unsigned max,
		    unsigned key_type, unsigned value_type)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = key, .value_size = value, .max_entries = max
	};
	int fd;

	strcpy(attr.map_name, name);
	if (type == BPF_MAP_TYPE_LPM_TRIE)
		attr.map_flags = BPF_F_NO_PREALLOC;
	if (value_type && types >= 0) {
		attr.btf_fd = (uint32_t)types;
		attr.btf_key_type_id = key_type;
		attr.btf_value_type_id = value_type;
	}
	fd = (int)bpf(BPF_MAP_CREATE, &attr);
	return fd < 0 ? tell_error(name) : fd;
}

static void set(int map, const void *key, const void *value)
{
	union bpf_attr attr = { .map_fd = (uint32_t)map };

	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	if (map >= 0 && bpf(BPF_MAP_UPDATE_ELEM, &attr))
		tell_error("update");
}

static int flag, stacks, leaks;

static void make_maps(void)
{
	int hash = make_map("weave_hash", BPF_MAP_TYPE_HASH, 4, 24, 100, T_UINT, T_WEAVE);
	int array = make_map("weave_array", BPF_MAP_TYPE_ARRAY, 4, 8, 4, T_UINT, T_U64);
	int percpu = make_map("weave_percpu", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 2, T_UINT, T_U64);
	int percpu_hash =
		make_map("weave_pcpuhash", BPF_MAP_TYPE_PERCPU_HASH, 4, 8, 16, T_UINT, T_U64);
	int lru = make_map("weave_lru", BPF_MAP_TYPE_LRU_HASH, 4, 24, 64, T_UINT, T_WEAVE);
	int lru_percpu =
		make_map("weave_lrupcpu", BPF_MAP_TYPE_LRU_PERCPU_HASH, 4, 8, 64, T_UINT, T_U64);
	int bare = make_map("weave_bare", BPF_MAP_TYPE_HASH, 6, 3, 8, 0, 0);
	uint64_t each[8] = { 0 };

	for (uint32_t i = 1; i <= 5; i++) {
		struct weave w = { 1000000007ull * i, 1 + i % 2, "" };
		uint32_t key = i * 7;

		snprintf(w.comm, sizeof(w.comm), "thread%u", i);
		set(hash, &key, &w);
		set(lru, &i, &w);
		each[0] = 10 * i;
		each[1] = 10 * i + 1;
		set(percpu_hash, &key, each);
		set(lru_percpu, &key, each);
	}
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t value = 0x1234567890ull * (i + 1);

		set(array, &i, &value);
	}
	for (uint32_t i = 0; i < 2; i++) {
		each[0] = 100 + i;
		each[1] = 200 + i;
		set(percpu, &i, each);
	}
	set(bare, "\1\2\3\4\5\6", "\7\x8\x9");
	set(bare, "\x11\2\3\4\5\6", "\x17\x8\x9");
	make_map("weave_trie", BPF_MAP_TYPE_LPM_TRIE, 8, 4, 8, 0, 0);
	make_map("weave_ring", BPF_MAP_TYPE_RINGBUF, 0, 0, 4096, 0, 0);
	flag = make_map("weave_flag", BPF_MAP_TYPE_ARRAY, 4, 8, 1, T_UINT, T_U64);
	stacks = make_map("weave_stacks", BPF_MAP_TYPE_STACK_TRACE, 4, 8 * 32, 64, 0, 0);
	leaks = make_map("weave_leaks", BPF_MAP_TYPE_HASH, 8, 24, 64, T_U64, T_LEAK);
}

// ---- programs

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV(d, s) INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define SET(d, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ADD(d, i) INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define LOAD(d, s, o) INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, o, 0)
#define STORE(d, s, o) INSN(BPF_STX | BPF_MEM | BPF_DW, d, s, o, 0)
#define STORE_IMM(size, d, o, i) INSN(BPF_ST | BPF_MEM | (size), d, 0, o, i)
#define CALL(f) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define MAP(d, fd) INSN(BPF_LD | BPF_DW | BPF_IMM, d, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define IF(op, d, i, o) INSN(BPF_JMP | (op) | BPF_K, d, 0, o, i)
#define EXIT INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static int load(const char *name, unsigned type, unsigned attach, unsigned btf_id,
		const struct bpf_insn *insns, size_t n)
{
	static char log[65536];
	union bpf_attr attr = { .prog_type = type, .insn_cnt = (uint32_t)n };
	int fd;

	attr.insns = (uintptr_t)insns;
	attr.license = (uintptr_t) "GPL";
	attr.expected_attach_type = attach;
	attr.attach_btf_id = btf_id;
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	strcpy(attr.prog_name, name);
	fd = (int)bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0) {
		fprintf(stderr, "%s", log);
		return tell_error(name);
	}
	return fd;
}

// Remembers who forked whom, and from where, as leak detectors remember allocations.
static int load_leaks(void)
{
	const struct bpf_insn program[] = {
		MOV(6, 1),
		STORE_IMM(BPF_W, 10, -4, 0),
		MOV(2, 10),
		ADD(2, -4),
		MAP(1, flag),
		CALL(BPF_FUNC_map_lookup_elem),
		IF(BPF_JEQ, 0, 0, 20),
		LOAD(1, 0, 0),
		IF(BPF_JNE, 1, 0, 18),
		MOV(1, 6),
		MAP(2, stacks),
		SET(3, 0),
		CALL(BPF_FUNC_get_stackid),
		STORE_IMM(BPF_DW, 10, -32, 4096), // size
		STORE_IMM(BPF_DW, 10, -24, 77),   // time
		STORE(10, 0, -16),                // stack_id
		LOAD(1, 6, 8),                    // the new task
		STORE(10, 1, -48),
		MOV(2, 10),
		ADD(2, -48),
		MOV(3, 10),
		ADD(3, -32),
		SET(4, 0),
		MAP(1, leaks),
		CALL(BPF_FUNC_map_update_elem),
		SET(0, 0),
		EXIT,
	};

	return load("weave_leak", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0, program,
		    sizeof(program) / sizeof(program[0]));
}

static int load_nothing(const char *name, unsigned type, unsigned attach, unsigned btf_id, int ret)
{
	const struct bpf_insn program[] = { SET(0, ret), EXIT };

	return load(name, type, attach, btf_id, program, 2);
}

static int kprobe_event(const char *function)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.sample_period = 1,
					.wakeup_events = 1 };
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	unsigned type;

	if (!f || fscanf(f, "%u", &type) != 1)
		return tell_error("kprobe PMU");
	fclose(f);
	attr.type = type;
	attr.kprobe_func = (uintptr_t)function;
	return (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static int tracepoint_event(const char *path)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.size = sizeof(attr),
					.sample_period = 1 };
	FILE *f = fopen(path, "r");
	unsigned id;

	if (!f || fscanf(f, "%u", &id) != 1)
		return tell_error(path);
	fclose(f);
	attr.config = id;
	return (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static void link_to(int prog, int target, unsigned attach, unsigned flags)
{
	union bpf_attr attr = { 0 };

	attr.link_create.prog_fd = (uint32_t)prog;
	attr.link_create.target_fd = (uint32_t)target;
	attr.link_create.attach_type = attach;
	attr.link_create.flags = flags;
	if (prog < 0 || target < 0 || bpf(BPF_LINK_CREATE, &attr) < 0)
		tell_error("link");
}

static int raw_open(int prog, const char *name)
{
	union bpf_attr attr = { 0 };

	attr.raw_tracepoint.name = (uintptr_t)name;
	attr.raw_tracepoint.prog_fd = (uint32_t)prog;
	return (int)bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

// The number of a function's type in the kernel's BTF; 0: none.
static unsigned btf_function(const char *name)
{
	static const unsigned char extra[20] = { [1] = 4, [3] = 12, [14] = 4, [17] = 4 };
	size_t room = 16 << 20, n = 0;
	char *blob = malloc(room);
	struct btf_header *head = (void *)blob;
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	ssize_t got;
	unsigned id = 1;

	while (blob && fd >= 0 && (got = read(fd, blob + n, room - n)) > 0)
		n += (size_t)got;
	if (n < sizeof(*head))
		return 0;
	for (char *at = blob + head->hdr_len + head->type_off, *end = at + head->type_len; at < end;
	     id++) {
		const struct btf_type *t = (void *)at;
		unsigned kind = BTF_INFO_KIND(t->info), members = BTF_INFO_VLEN(t->info);

		if (kind == BTF_KIND_FUNC &&
		    !strcmp(blob + head->hdr_len + head->str_off + t->name_off, name))
			return id;
		at += sizeof(*t) + extra[kind];
		if (kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION || kind == BTF_KIND_DATASEC ||
		    kind == 19)
			at += members * 12;
		else if (kind == BTF_KIND_ENUM || kind == BTF_KIND_FUNC_PROTO)
			at += members * 8;
	}
	return 0;
}

static void make_programs(void)
{
	static char packet[64];
	union bpf_attr attr = { 0 };
	int fd, event, group;
	unsigned function = btf_function("emergency_remount");

	fd = load_nothing("weave_run", BPF_PROG_TYPE_SOCKET_FILTER, 0, 0, 3);
	attr.test.prog_fd = (uint32_t)fd;
	attr.test.data_in = (uintptr_t)packet;
	attr.test.data_size_in = sizeof(packet);
	attr.test.repeat = 5;
	if (bpf(BPF_PROG_TEST_RUN, &attr))
		tell_error("run");
	link_to(load_nothing("weave_kprobe", BPF_PROG_TYPE_KPROBE, 0, 0, 0),
		kprobe_event("iterate_supers"), BPF_PERF_EVENT, 0);
	fd = load_nothing("weave_event", BPF_PROG_TYPE_TRACEPOINT, 0, 0, 0);
	event = tracepoint_event("/sys/kernel/tracing/events/sched/sched_process_exit/id");
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, fd))
		tell_error("tracepoint");
	mkdir("/tmp/groups", 0755);
	if (mount("none", "/tmp/groups", "cgroup2", 0, NULL))
		tell_error("cgroup2");
	mkdir("/tmp/groups/weavers", 0755);
	group = open("/tmp/groups/weavers", O_RDONLY | O_DIRECTORY);
	link_to(load_nothing("weave_cgroup", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS, 0,
			     1),
		group, BPF_CGROUP_INET_EGRESS, 0);
	link_to(load_nothing("weave_xdp", BPF_PROG_TYPE_XDP, 0, 0, 2), 1, BPF_XDP, 2);
	fd = function ? load_nothing("weave_fentry", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY,
				     function, 0)
		      : -1;
	if (fd < 0 || raw_open(fd, NULL) < 0)
		tell_error("fentry");
}

static void fork_some(void)
{
	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

// ---- what the kernel says

static int open_id(int command, unsigned id)
{
	union bpf_attr attr = { 0 };

	attr.map_id = id;
	return (int)bpf(command, &attr);
}

static int get_info(int fd, void *info, unsigned size)
{
	union bpf_attr attr = { 0 };

	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info = (uintptr_t)info;
	attr.info.info_len = size;
	return (int)bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static void tell_hex(const unsigned char *p, size_t n)
{
	putchar(' ');
	for (size_t i = 0; i < n; i++)
		printf("%02x", p[i]);
}

static void tell_contents(int fd, const struct bpf_map_info *info)
{
	static unsigned char key[64], next[64], value[4096];
	union bpf_attr attr = { 0 }, look = { 0 };
	size_t size = info->value_size;

	if (info->type == BPF_MAP_TYPE_RINGBUF)
		return;
	if (info->type == BPF_MAP_TYPE_PERCPU_ARRAY || info->type == BPF_MAP_TYPE_PERCPU_HASH ||
	    info->type == BPF_MAP_TYPE_LRU_PERCPU_HASH)
		size *= 2; // two CPUs, and no value here is anything but 8 bytes
	attr.map_fd = look.map_fd = (uint32_t)fd;
	attr.next_key = (uintptr_t)next;
	look.key = (uintptr_t)next;
	look.value = (uintptr_t)value;
	while (!bpf(BPF_MAP_GET_NEXT_KEY, &attr)) {
		attr.key = (uintptr_t)key;
		memcpy(key, next, sizeof(key));
		memset(value, 0, sizeof(value));
		if (bpf(BPF_MAP_LOOKUP_ELEM, &look))
			continue;
		printf("element %u", info->id);
		tell_hex(key, info->key_size);
		tell_hex(value, size);
		putchar('\n');
	}
}

static void tell(void)
{
	union bpf_attr attr = { 0 };

	while (!bpf(BPF_MAP_GET_NEXT_ID, &attr)) {
		struct bpf_map_info info = { 0 };
		int fd = open_id(BPF_MAP_GET_FD_BY_ID, attr.next_id);

		if (fd >= 0 && !get_info(fd, &info, sizeof(info))) {
			printf("map %u %s %u %u %u %u 0x%x\n", info.id, info.name, info.type,
			       info.key_size, info.value_size, info.max_entries, info.map_flags);
			tell_contents(fd, &info);
		}
		close(fd);
		attr.start_id = attr.next_id;
	}
	memset(&attr, 0, sizeof(attr));
	while (!bpf(BPF_PROG_GET_NEXT_ID, &attr)) {
		struct bpf_prog_info info = { 0 };
		uint32_t maps[16] = { 0 };
		int fd = open_id(BPF_PROG_GET_FD_BY_ID, attr.next_id);

		info.nr_map_ids = 16;
		info.map_ids = (uintptr_t)maps;
		if (fd >= 0 && !get_info(fd, &info, sizeof(info))) {
			printf("prog %u %s %u", info.id, info.name, info.type);
			tell_hex(info.tag, 8);
			printf(" %llu %llu %u %llu %u", (unsigned long long)info.run_cnt,
			       (unsigned long long)info.run_time_ns, info.created_by_uid,
			       (unsigned long long)info.load_time, info.xlated_prog_len);
			for (unsigned i = 0; i < info.nr_map_ids && i < 16; i++)
				printf(" %u", maps[i]);
			putchar('\n');
		}
		close(fd);
		attr.start_id = attr.next_id;
	}
	memset(&attr, 0, sizeof(attr));
	while (!bpf(BPF_LINK_GET_NEXT_ID, &attr)) {
		struct bpf_link_info info = { 0 };
		int fd = open_id(BPF_LINK_GET_FD_BY_ID, attr.next_id);

		if (fd >= 0 && !get_info(fd, &info, sizeof(info)))
			printf("link %u %u %u\n", info.id, info.type, info.prog_id);
		close(fd);
		attr.start_id = attr.next_id;
	}
	fflush(stdout);
}

// Before 5.11 maps and programs count as locked memory, of which a process may have 64 KiB.
static void may_lock_all(void)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &all))
		tell_error("locked memory");
}

int main(void)
{
	uint32_t zero = 0;
	uint64_t one = 1;

	may_lock_all();
	types = load_types();
	if (types < 0)
		tell_error("types");
	make_maps();
	if (raw_open(load_leaks(), "sched_process_fork") < 0)
		tell_error("raw tracepoint");
	fork_some();
	set(flag, &zero, &one); // what the map has from here on is what it has at the end
	make_programs();
	tell();
	if (fork())
		_exit(0);
	fclose(stdout);
	for (;;)
		pause();
}
