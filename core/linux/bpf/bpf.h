/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BPF: programs, what they are attached to, and maps with what is in them (kernel/bpf). */
#ifndef OBIT_BPF_H
#define OBIT_BPF_H

#include "core/linux/trace/trace.h"

#define BPF_ATTACHED_MAX 64u

struct bpf_prog {
	uint64_t addr; /* struct bpf_prog */
	uint32_t id;
	const char *name;
	const char *type; /* "socket_filter", "tracing"; a number where the kernel has no word */
	uint8_t tag[8];
	bool has_run; /* the kernel keeps counters; they count while bpf_stats_enabled is on */
	uint64_t run_count, run_ns, missed;
	uint64_t load_ns; /* since boot */
	int64_t uid;      /* who loaded it; -1 unknown */
	uint64_t insns;   /* of eight bytes */
	bool jited;
	uint64_t code, code_size;
	const uint32_t *maps; /* ids of the maps it uses */
	size_t n_maps;
	const char *const *attached; /* "raw tracepoint sched_switch", ... */
	size_t n_attached;
};
/* Calls fn for every program, by its id, until fn returns false. Strings and lists live in the
 * target's arena. note() is told what cannot be read. */
bool bpf_progs_each(struct target *t, bool (*fn)(const struct bpf_prog *p, void *arg),
		    void (*note)(const struct err *e, void *arg), void *arg,
		    struct err *err) MUST_CHECK;

struct bpf_map {
	uint64_t addr; /* struct bpf_map */
	uint32_t id;
	const char *name, *type; /* "hash", "percpu_array" */
	uint64_t key_size, value_size, max_entries, flags;
	bool frozen;
	uint64_t btf; /* its struct btf; 0: the types of keys and values are not known */
	uint32_t key_type, value_type;
};
bool bpf_maps_each(struct target *t, bool (*fn)(const struct bpf_map *m, void *arg),
		   void (*note)(const struct err *e, void *arg), void *arg,
		   struct err *err) MUST_CHECK;

/* ---- bpf_map.c */
struct bpf_element {
	uint64_t key_addr;  /* 0: the key is the index */
	const uint8_t *key; /* key_size bytes */
	int cpu;            /* of a per-CPU map the CPU; else -1 */
	const uint8_t *value;
	uint64_t value_addr;
	const uint64_t *stack; /* of a stack-trace map: addresses in place of a value */
	size_t n_stack;
};
/* Calls fn for each element of a map that is a hash, an array or one of stack traces, per CPU or
 * not. The element's bytes are gone when fn returns. ERR_UNSUPPORTED: the map is of another kind.
 */
bool bpf_elements_each(struct target *t, const struct bpf_map *m,
		       bool (*fn)(const struct bpf_element *e, void *arg),
		       void (*note)(const struct err *e, void *arg), void *arg,
		       struct err *err) MUST_CHECK;

/* ---- bpf_btf.c */
/* Sets *ret to the type `id` of the struct btf at `btf`; in the target's arena. ERR_NOTYPE,
 * ERR_CORRUPT. */
bool bpf_type(struct target *t, uint64_t btf, uint32_t id, const struct type **ret,
	      struct err *err) MUST_CHECK;
/* The same for BTF that is at hand; for tests. */
bool bpf_type_parse(struct target *t, struct span blob, uint32_t id, const struct type **ret,
		    struct err *err) MUST_CHECK;

#endif
