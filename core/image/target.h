/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target: everything that was loaded of one dead kernel, and what could not be. */
#ifndef OBIT_TARGET_H
#define OBIT_TARGET_H

#include "core/arch/arch.h"
#include "core/base/arena.h"
#include "core/base/file.h"
#include "core/base/vec.h"
#include "core/image/line.h"
#include "core/image/memory.h"
#include "core/image/module.h"
#include "core/image/source.h"
#include "core/image/survivor.h"
#include "core/image/symbol.h"
#include "core/image/type.h"

/* The registers of one CPU as the dumper saved them in an NT_PRSTATUS note. Notes stand in the file
 * in the order of the CPUs. */
struct cpu_regs {
	struct regs regs;
	uint32_t pid; /* as the note says; 0 for the idle task and for dumps from outside */
};

/* Something the person must know about the evidence: what is missing or doubtful, and why. */
struct warning {
	enum err_code code;
	const char *text;
};

/* VMCOREINFO: the kernel's own note about itself, "KEY=value" and "KIND(name)=value" lines. */
struct vmcoreinfo {
	const char *text; /* NUL-terminated, in the target's arena; NULL when there is none */
	size_t n;
	const char *found; /* "note", or "memory" when it was searched for */
};

/* A number that was found elsewhere than in VMCOREINFO: "phys_base" in a dump's header,
 * "pgtable_root" (a physical address) and "kimage_voffset" by a search, "cr3" and "cr4" in QEMU's
 * notes. */
struct fact {
	const char *name;
	uint64_t value;
};

/* What the person says of a dump that lost its notes; readers/dump/told.c takes it. */
struct told_notes {
	const char *vmcoreinfo; /* a file with its text; NULL: none */
	bool has_kaslr, has_phys_base;
	uint64_t kaslr;     /* as struct target's */
	uint64_t phys_base; /* the kernel's; where the image is mapped by itself, of its _text */
};

/* A format of files; see readers/reader.h. */
struct reader;

/* One file that was given, and the reader that took it. */
struct input {
	struct file *file;
	const struct reader *reader;
};

/* What the vmlinux file says of itself. Section contents are mapped; nothing is copied. */
struct vmlinux {
	struct file *file; /* NULL: no vmlinux was given */
	const struct arch *arch;
	uint8_t build_id[32];
	size_t build_id_n;  /* bytes; 0: none */
	const char *banner; /* linux_banner from .rodata, or NULL */
	/* Sets banner if it can be found, and returns it. NULL: there is nobody to find it. */
	const char *(*find_banner)(struct target *t);
	void *self; /* readers/symbol/vmlinux.c's own */
	/* Sets *ret to the contents of the section of that name, and *addr to its link-time
	 * address. False: there is none, which is no error. */
	bool (*section)(void *self, const char *name, struct span *ret, uint64_t *addr);
	bool big;          /* its numbers and its code are big-endian */
	bool debug_packed; /* .debug_info is there, but compressed: section() has it not */
};

/* What a driver added to the dump while the second kernel ran. */
struct device_dump {
	const char *name; /* as the driver called it */
	struct span data; /* these two live as long as the target */
};

/* The dump file, as far as its headers say. */
struct dump {
	struct file *file;      /* NULL: no dump was given */
	const char *format;     /* "kdump (zlib)", "ELF", "flattened kdump (zlib)" */
	bool truncated;         /* the file ends before its last page */
	uint64_t missing_pages; /* lost by truncation; pages of 4 KiB */
	uint64_t present_pages; /* in the file */
	unsigned dump_level;    /* makedumpfile -d; 0 when none or unknown */
	uint64_t crash_time;    /* seconds since 1970 from the dump's header; 0 unknown */
	/* what drivers added, by NT_VMCOREDD notes */
	VEC(struct device_dump) devices;
	/* utsname fields from the header, "" when the dumper left them empty */
	const char *release, *version, *machine, *nodename;
};

/* A range of the physical memory that the dump tells of, by its PT_LOAD headers or by how far its
 * bitmap reaches; for searches. */
struct ram_region {
	uint64_t first, last; /* physical, inclusive */
};

struct traces;
struct dwarf_file;
struct frame_sources;
struct expr_kept;
struct rammap;
struct unwind_hooks;
struct unwind_state;
struct linux_state;

/* Long work says how far it is, where somebody wants to know. */
struct target_progress {
	/* NULL: nobody does. what: what is being done, NULL is as before; all 0: unknown */
	void (*tell)(void *arg, const char *what, uint64_t done, uint64_t all);
	void *arg;
	unsigned reads; /* of memory, which tell it now and then */
};

struct deferred {
	void (*free_it)(void *what);
	void *what;
};

/* Is handed one text of several. */
typedef void text_fn(struct span text, void *arg);

struct target {
	struct arena arena;    /* until exit */
	struct arena *scratch; /* the current command's; reset after each command line */
	bool force;            /* --force: go on in spite of a mismatch */
	struct told_notes told;
	bool debuginfod; /* --debuginfod: servers may be asked for debug info */
	unsigned jobs;   /* -j: processes that work on one question, as struct workers.jobs */
	/* --reader: opens each dump, and each file that nobody knows. NULL: who knows a file best.
	 */
	const struct reader *reader;
	struct target_progress progress;
	bool any_text;    /* a text is an input although nothing is reported in it */
	bool texts_later; /* the command reads texts that are no inputs */

	VEC(const char *) debug_folders; /* --debug: where a vmlinux is sought by its build-id */

	VEC(struct input) inputs;
	VEC(struct warning) warnings;
	VEC(struct deferred) deferred; /* target_defer()'s */

	const struct arch *arch; /* NULL until an input told */
	struct vmlinux vmlinux;
	struct dump dump;
	struct vmcoreinfo vmcoreinfo;
	VEC(struct cpu_regs) cpus; /* from the dump's notes */
	VEC(struct ram_region) ram;
	VEC(struct fact) facts;

	bool kaslr_known;
	uint64_t kaslr;     /* run-time minus link-time address of kernel text */
	uint64_t page_size; /* 4096 unless VMCOREINFO says otherwise */

	struct memory memory;
	struct rammap *rammap; /* readers/dump/rammap.c's, while it is made; NULL: none */
	struct symbols symbols;
	struct types types;
	struct lines lines;
	struct expr_kept *kept; /* core/types/expr_variable.c's: results; NULL: none yet */
	struct modules modules;
	struct sources sources;
	struct dwarf_file *dwarf; /* readers/symbol/dwarf.c's: of the vmlinux; NULL: it has none */
	struct frame_sources *frame_sources; /* core/types/frame_info.c's own, made on first use */
	struct survivors survivors;          /* records that outlived the reboot */

	struct file *names; /* readers/symbol/nametable.c's: a table of names; NULL: none */

	VEC(struct file *) report_texts; /* texts that were given */
	/* Loads the vmlinux of a build-id from the folders of --debug, or from a server, with
	 * --debuginfod only; see readers/symbol/debuginfod.h. */
	bool (*kernel_get)(struct target *t, const char *build_id, struct err *err);

	/* Calls fn with each piece of the text that bytes which gzip, xz or zstd packed hold.
	 * False: they are too many, or packed by something else; or, ERR_CORRUPT, damaged or cut,
	 * and fn had what stands before that. */
	bool (*text_unpack)(struct span packed, text_fn *fn, void *arg, struct err *err);
	/* Calls fn with the text of each crash that the file or the folder at path has records of
	 * pstore of, the oldest first, and returns what a reader takes it for; NULL: none knows it.
	 */
	const char *(*text_records)(const char *path, text_fn *fn, void *arg);

	struct traces *traces; /* what was traced; core/trace's own, made on first use */

	const struct unwind_hooks *unwind_hooks; /* see core/unwind/unwind.h */
	struct unwind_state *unwind_state; /* core/unwind's own, in the arena, made on first use */
	/* state of core/linux, one pointer a subsystem, made on first use; see core/linux/linux.h
	 */
	struct linux_state *linux_state;
};

/* Is there a dump, so that memory can be read at all? */
static inline bool mem_loaded(const struct target *t)
{
	return t->memory.phys.read != NULL;
}
/* Unsigned integers in bytes that were read of the dead kernel's memory, or are to be taken for
 * such: in its own order. Whoever parses such bytes asks these; mem_u64() and the values of types
 * do so themselves. */
static inline bool target_big(const struct target *t)
{
	return t->arch && t->arch->big;
}
static inline uint16_t target_u16(const struct target *t, const void *p)
{
	return target_big(t) ? (uint16_t)load_be(p, 2) : load_le16(p);
}
static inline uint32_t target_u32(const struct target *t, const void *p)
{
	return target_big(t) ? (uint32_t)load_be(p, 4) : load_le32(p);
}
static inline uint64_t target_u64(const struct target *t, const void *p)
{
	return target_big(t) ? load_be64(p) : load_le64(p);
}
/* of 1 to 8 bytes */
static inline uint64_t target_uint(const struct target *t, const void *p, size_t n)
{
	return load_uint(p, n, target_big(t));
}
static inline void target_store(const struct target *t, void *p, size_t n, uint64_t v)
{
	store_uint(p, n, target_big(t), v);
}
/* The `size` bits, 1 to 64, from bit `off` (0 to 7) of the 9 bytes at p on. Bits are counted as
 * compilers do: from the lowest of the first byte, or of big-endian memory from its highest. */
uint64_t target_bits_big(const uint8_t *p, unsigned off, unsigned size);
static inline uint64_t target_bits(const struct target *t, const uint8_t *p, unsigned off,
				   unsigned size)
{
	uint64_t v;

	if (target_big(t))
		return target_bits_big(p, off, size);
	v = load_le64(p) >> off;
	if (off)
		v |= (uint64_t)p[8] << (64 - off);
	return size < 64 ? v & ((UINT64_C(1) << size) - 1) : v;
}
/* See struct target_progress. Cheap, and may be called often. */
static inline void target_tell(struct target *t, const char *what, uint64_t done, uint64_t all)
{
	if (t->progress.tell)
		t->progress.tell(t->progress.arg, what, done, all);
}
/* Sets ERR_NEED: debug info was needed, and no vmlinux with it was given. Returns false. */
bool target_needs_debug(struct err *err);
void target_init(struct target *t, struct arena *scratch);
void target_release(struct target *t);
/* Has target_release() call free_it(what) while the target's arena and files are still there; what
 * was deferred last is called first. For what a reader keeps outside of the arena. */
void target_defer(struct target *t, void (*free_it)(void *what), void *what);
/* Adds a warning, which the person is told before the next answer. */
void target_warn(struct target *t, enum err_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Sets ERR_NEED: debug info was needed, and no vmlinux with it was given. Returns false. */
/* Says that an answer goes on without something: a member, a type or a symbol that every known
 * kernel has, or memory that cannot be read. The message of *why becomes a warning, once for each
 * message, and the exit status will be 4. */
void target_lacks(struct target *t, const struct err *why);

/* VMCOREINFO lookups. The key is written as in the text: "OSRELEASE", "SYMBOL(_stext)",
 * "OFFSET(printk_info.seq)". False: no such key. Text lives as long as the target. */
bool vmcoreinfo_str(const struct target *t, const char *key, const char **ret, size_t *n);
bool vmcoreinfo_hex(const struct target *t, const char *key,
		    uint64_t *ret); /* base 16, as SYMBOL, KERNELOFFSET */
bool vmcoreinfo_num(const struct target *t, const char *key,
		    int64_t *ret); /* base 10 or 0x, as NUMBER, SIZE, OFFSET, LENGTH */

/* Hexadecimal digits of an address: 8 or 16. t may be NULL. */
int target_addr_digits(const struct target *t);

/* Notes a fact. A second value of a name is dropped: the file that is trusted most is read first.
 */
void target_add_fact(struct target *t, const char *name, uint64_t value);
/* The facts that arch functions ask for. Numbers: VMCOREINFO's NUMBER(name), then its plain key
 * "name" (PAGESIZE), then t->facts. Symbols: VMCOREINFO's SYMBOL(name), then symbol_addr(). */
struct arch_facts target_facts(struct target *t);

#endif
