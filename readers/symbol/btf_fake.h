/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: BTF of a few types, made with libbpf, so that no expectation comes from our reader. */
#ifndef OBIT_BTF_FAKE_H
#define OBIT_BTF_FAKE_H

#include <bpf/btf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "readers/reader.h"

#if !__has_include(<bpf/libbpf_version.h>) /* before 0.6 */
#define btf__raw_data btf__get_raw_data
#define btf__type_cnt(b) (btf__get_nr_types(b) + 1)
#endif

extern const struct reader reader_btf;

/*
 *	enum state { IDLE = 0, RUN = 1, DEAD = -1 };
 *	enum flags { FLAG_A = 1, FLAG_B = 2, FLAG_C = 4 };
 *	typedef int pid_t;
 *	struct list_head { struct list_head *next, *prev; };
 *	struct thing {
 *		struct list_head list;				0
 *		const pid_t pid;				16
 *		unsigned int low : 3;				20, bit 0
 *		int mid : 7;					20, bit 3
 *		unsigned int high : 22;				20, bit 10
 *		char comm[16];					24
 *		union { unsigned long word; struct { unsigned int a, b; }; };	40
 *		enum state state;				48
 *		enum flags flags;				52
 *		void (*fn)(struct thing *self, int n, ...);	56
 *		struct thing *next;				64
 *		unsigned short grid[2][3];			72
 *		_Bool on;					84
 *		char letter;					85
 *		long long big;					88
 *		unsigned long many[10];				96
 *	};							176
 *	int start(struct thing *self);
 *	per-CPU at 0x40: struct list_head pending;
 */
enum fake_id {
	FAKE_INT = 1,
	FAKE_UINT,
	FAKE_LONG,
	FAKE_ULONG,
	FAKE_USHORT,
	FAKE_CHAR,
	FAKE_BOOL,
	FAKE_LLONG,
	FAKE_LIST,
	FAKE_LIST_PTR,
	FAKE_PID,
	FAKE_CONST_PID,
	FAKE_STATE,
	FAKE_FLAGS,
	FAKE_COMM,
	FAKE_PAIR,
	FAKE_WORD,
	FAKE_PROTO,
	FAKE_FN,
	FAKE_THING_PTR,
	FAKE_ROW,
	FAKE_GRID,
	FAKE_MANY,
	FAKE_THING,
	FAKE_START_PROTO,
	FAKE_START,
	FAKE_PENDING,
	FAKE_PERCPU,
	FAKE_IDS
};

static inline void fake_scalars(struct btf *b)
{
	btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	btf__add_int(b, "unsigned int", 4, 0);
	btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	btf__add_int(b, "long unsigned int", 8, 0);
	btf__add_int(b, "short unsigned int", 2, 0);
	btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
	btf__add_int(b, "long long int", 8, BTF_INT_SIGNED);
}

static inline void fake_parts(struct btf *b)
{
	btf__add_struct(b, "list_head", 16);
	btf__add_field(b, "next", FAKE_LIST_PTR, 0, 0);
	btf__add_field(b, "prev", FAKE_LIST_PTR, 64, 0);
	btf__add_ptr(b, FAKE_LIST);
	btf__add_typedef(b, "pid_t", FAKE_INT);
	btf__add_const(b, FAKE_PID);
	btf__add_enum(b, "state", 4);
	btf__add_enum_value(b, "IDLE", 0);
	btf__add_enum_value(b, "RUN", 1);
	btf__add_enum_value(b, "DEAD", -1); /* libbpf sets the sign flag */
	btf__add_enum(b, "flags", 4);
	btf__add_enum_value(b, "FLAG_A", 1);
	btf__add_enum_value(b, "FLAG_B", 2);
	btf__add_enum_value(b, "FLAG_C", 4);
	btf__add_array(b, FAKE_INT, FAKE_CHAR, 16);
	btf__add_struct(b, NULL, 8);
	btf__add_field(b, "a", FAKE_UINT, 0, 0);
	btf__add_field(b, "b", FAKE_UINT, 32, 0);
	btf__add_union(b, NULL, 8);
	btf__add_field(b, "word", FAKE_ULONG, 0, 0);
	btf__add_field(b, NULL, FAKE_PAIR, 0, 0);
	btf__add_func_proto(b, 0);
	btf__add_func_param(b, "self", FAKE_THING_PTR);
	btf__add_func_param(b, "n", FAKE_INT);
	btf__add_func_param(b, NULL, 0);
	btf__add_ptr(b, FAKE_PROTO);
	btf__add_ptr(b, FAKE_THING);
	btf__add_array(b, FAKE_INT, FAKE_USHORT, 3);
	btf__add_array(b, FAKE_INT, FAKE_ROW, 2);
	btf__add_array(b, FAKE_INT, FAKE_ULONG, 10);
}

static inline void fake_thing(struct btf *b)
{
	btf__add_struct(b, "thing", 176);
	btf__add_field(b, "list", FAKE_LIST, 0, 0);
	btf__add_field(b, "pid", FAKE_CONST_PID, 128, 0);
	btf__add_field(b, "low", FAKE_UINT, 160, 3);
	btf__add_field(b, "mid", FAKE_INT, 163, 7);
	btf__add_field(b, "high", FAKE_UINT, 170, 22);
	btf__add_field(b, "comm", FAKE_COMM, 192, 0);
	btf__add_field(b, NULL, FAKE_WORD, 320, 0);
	btf__add_field(b, "state", FAKE_STATE, 384, 0);
	btf__add_field(b, "flags", FAKE_FLAGS, 416, 0);
	btf__add_field(b, "fn", FAKE_FN, 448, 0);
	btf__add_field(b, "next", FAKE_THING_PTR, 512, 0);
	btf__add_field(b, "grid", FAKE_GRID, 576, 0);
	btf__add_field(b, "on", FAKE_BOOL, 672, 0);
	btf__add_field(b, "letter", FAKE_CHAR, 680, 0);
	btf__add_field(b, "big", FAKE_LLONG, 704, 0);
	btf__add_field(b, "many", FAKE_MANY, 768, 0);
}

static inline struct btf *fake_btf(void)
{
	struct btf *b = btf__new_empty();

	fake_scalars(b);
	fake_parts(b);
	fake_thing(b);
	btf__add_func_proto(b, FAKE_INT);
	btf__add_func_param(b, "self", FAKE_THING_PTR);
	btf__add_func(b, "start", BTF_FUNC_STATIC, FAKE_START_PROTO);
	btf__add_var(b, "pending", BTF_VAR_STATIC, FAKE_LIST);
	btf__add_datasec(b, ".data..percpu", 0x100);
	btf__add_datasec_var_info(b, FAKE_PENDING, 0x40, 16);
	return b;
}

/* As a file that somebody gave obit. */
static inline bool fake_btf_open(struct target *t, const void *blob, size_t n, struct err *err)
{
	int fd = memfd_create("btf", 0);
	struct file *file;

	if (fd < 0 || write(fd, blob, n) != (ssize_t)n)
		return err_set_errno(err, "memfd");
	if (!file_of_fd(&t->arena, "test.btf", fd, &file, err))
		return false;
	vec_push(&t->inputs)->file = file; /* closed with the target */
	return reader_btf.probe(file) ? reader_btf.open(t, file, err)
				      : err_set(err, ERR_FORMAT, "not recognised");
}

static inline bool fake_btf_load(struct target *t, struct err *err)
{
	struct btf *b = fake_btf();
	uint32_t n;
	const void *blob = btf__raw_data(b, &n);
	bool ok = btf__type_cnt(b) == FAKE_IDS && blob && fake_btf_open(t, blob, n, err);

	btf__free(b);
	return ok;
}

#endif
