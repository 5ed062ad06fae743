/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report of the kernel's: what its text says, and what we make of that. */
#ifndef OBIT_REPORT_H
#define OBIT_REPORT_H

#include "core/base/arena.h"
#include "core/base/buf.h"
#include "core/base/vec.h"

struct target;

enum report_kind {
	KIND_NONE,
	KIND_NULL_DEREF,
	KIND_PAGE_FAULT,
	KIND_GPF,
	KIND_STACK_SEGMENT,
	KIND_DIVIDE_ERROR,
	KIND_INVALID_OPCODE,
	KIND_INT3,
	KIND_DOUBLE_FAULT,
	KIND_TRAP,
	KIND_BUG,
	KIND_WARNING,
	KIND_REFCOUNT,
	KIND_LIST_CORRUPTION,
	KIND_DEBUGOBJECTS,
	KIND_USERCOPY,
	KIND_FORTIFY,
	KIND_KASAN_UAF,
	KIND_KASAN_OOB,
	KIND_KASAN_INVALID_FREE,
	KIND_KASAN_NULL,
	KIND_KASAN_WILD,
	KIND_KMSAN,
	KIND_KCSAN,
	KIND_KFENCE,
	KIND_UBSAN,
	KIND_LOCKDEP,
	KIND_SCHED_ATOMIC,
	KIND_SLEEP_ATOMIC,
	KIND_RCU_STALL,
	KIND_SOFT_LOCKUP,
	KIND_HARD_LOCKUP,
	KIND_HUNG_TASK,
	KIND_WORKQUEUE,
	KIND_NETDEV_WAIT,
	KIND_NETDEV_WATCHDOG,
	KIND_KMEMLEAK,
	KIND_SLAB,
	KIND_STACK_OVERFLOW,
	KIND_BAD_STATE,
	KIND_MCE,
	KIND_SERROR,
	KIND_INTERNAL_ERROR,
	KIND_UNDEFINED,
	KIND_CFI,
	KIND_ALIGNMENT,
	KIND_OOM,
	KIND_RUST,
	KIND_PANIC,
	KIND_OTHER,
	KINDS
};

/* "null-deref", "kasan-use-after-free", ...: stable, as JSON has it. */
const char *report_kind_name(enum report_kind kind);

/* What reports of several kinds have in common. */
enum kind_trait {
	KIND_IS_TRAP = 1,   /* the CPU raised a trap, and the kernel did not expect it */
	KIND_HAS_PC = 2,    /* such a trap, and its report prints the program counter */
	KIND_IS_ACCESS = 4, /* such a trap, by an access to an address that nothing maps */
	/* A tool that watches all code found it, and the kernel went on. */
	KIND_IS_SANITIZER = 8,
	/* A check of the kernel's own data found it; a WARNING or a BUG that has the trace may
	 * follow the headline. */
	KIND_IS_CHECK = 16,
	KIND_ENDS_WARNING = 32, /* a WARNING that has the trace may follow the headline */
	KIND_GOES_ON = 64,      /* a check after which the kernel goes on with the broken data */
	/* Its traces tell of code that ran before: a program counter behind them is that of what
	 * was interrupted long after. */
	KIND_TELLS_PAST = 128,
	KIND_HAS_MANY = 256, /* prints traces of other CPUs and tasks behind its own */
	KIND_BARE = 512      /* may be whole without any trace */
};
/* Does the kind have any of these traits (enum kind_trait, ORed)? */
bool report_kind_is(enum report_kind kind, unsigned traits);

/* Which of a report's traces a frame is of. */
enum trace_role {
	TRACE_MAIN,
	TRACE_ALLOC, /* where the memory concerned was allocated */
	TRACE_FREE,
	TRACE_CREATED, /* where a value was made, an object initialised */
	TRACE_STORED,
	TRACE_OTHER_CPU,
	TRACE_OTHER_TASK,
	TRACE_RACE,    /* the other side of a data race */
	TRACE_HELD,    /* who took a lock that is held */
	TRACE_LASTING, /* last potentially related work, last user of a page */
	TRACE_ROLES
};
const char *trace_role_name(enum trace_role role); /* "task" for TRACE_MAIN */

/* What the CPU was doing at that depth, as the <IRQ> markers say. */
enum frame_where {
	WHERE_TASK,
	WHERE_IRQ,
	WHERE_SOFTIRQ,
	WHERE_NMI,
	WHERE_EXCEPTION
};

/* One function of an answer with lines, innermost first. */
struct report_place {
	const char *func, *file;
	unsigned line;
	bool inlined;
	/* the lines around it, where its source was found: n_source from line `first` on */
	const char *const *source;
	unsigned first, n_source;
};

struct report_frame {
	const char *func; /* as printed; NULL: only an address */
	uint64_t off, size;
	bool has_off;
	const char *module, *module_id; /* NULL: the kernel, unknown */
	uint64_t addr;                  /* 0 unknown */
	bool reliable;
	bool exact;     /* the instruction itself; otherwise a return address */
	bool pc;        /* the program counter that the report is about */
	bool duplicate; /* says again what another frame says: the last line's RIP */
	enum trace_role role;
	enum frame_where where;
	unsigned trace;       /* which call trace, from 0 */
	uint32_t line;        /* index into report.lines */
	const char *src_file; /* as the text itself has it */
	unsigned src_line;
	bool src_inlined;
	const struct report_place *places; /* from the vmlinux */
	size_t n_places;
};

/* A lock as lockdep names it. */
enum lock_role {
	LOCK_NONE,
	LOCK_WANTED,   /* being taken */
	LOCK_HELD,     /* held meanwhile */
	LOCK_TAKEN,    /* taken with it, at another time */
	LOCK_RELEASED, /* released although not held */
	LOCK_FREED,    /* its memory was */
	LOCK_CHAIN     /* "-> #number": taken with that of the next lower number held */
};
struct report_lock {
	const char *class; /* "&mm->mmap_lock" */
	const char *by;    /* the function after "at:"; NULL */
	enum lock_role role;
	unsigned number; /* of LOCK_CHAIN */
	size_t frame;    /* how many frames stood before it: a chain's trace follows */
};

struct report_reg {
	const char *name; /* lower case: "rax", "x0", "r0" */
	uint64_t value;
};

struct report_line {
	const char *raw;  /* as it was, without the line end */
	const char *text; /* without prefixes and quoting */
	uint32_t raw_n, n;
	uint16_t indent; /* columns before text, behind what was taken off */
	uint64_t time_ns;
	bool has_time;
	bool foreign;  /* stands between the report's lines and is not of it */
	bool odd;      /* with bytes that nobody prints */
	uint8_t shape; /* the reader's own */
};

/* Strings live in the report's arena. */
struct report {
	struct arena arena;
	const char *file; /* NULL unknown */
	unsigned number;  /* of the reports of that file, from 1 */
	uint64_t first_line;
	VEC(struct report_line) lines;
	VEC(struct report_frame) frames;
	VEC(struct report_reg) regs;
	VEC(struct report_lock) chain; /* lockdep's findings, in the order of the text */

	/* what the text says */
	enum report_kind kind;
	const char *headline; /* the line that says what happened */
	const char *subject;  /* what the headline is about: bug type, panic message, lock state */
	const char *named;    /* the function the headline names; NULL */
	const char *named2;   /* the other function of a data race, sought from the lower name */
	const char *arch;     /* as uname -m; NULL unknown */
	const char *release, *taint, *comm, *hardware, *workqueue, *panic, *build_id;
	const char *access; /* "read", "write", "execute", "free"; NULL */
	const char *where;  /* FILE:LINE of a BUG, WARNING or UBSAN */
	const char *usage;  /* lockdep's "{IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage." */
	const char *object; /* the slab or object that the address belongs to */
	bool has_taint, tainted;
	bool has_cpu, has_pid, has_address, has_code, has_error, has_access_size;
	bool has_offset; /* kernel_offset is known */
	int64_t cpu, pid;
	uint64_t address, error, access_size, kernel_offset;
	unsigned oops_number;   /* of "[#2]"; 0 unknown */
	const char *error_name; /* "error_code", "ESR", "DSISR", "cause" */
	const char *code;       /* the Code: line's words */
	bool user_code;         /* the code is of a program, not of the kernel */
	const char *const *modules;
	size_t n_modules;
	const char *const *locks; /* held locks and lockdep's chain, as printed */
	size_t n_locks;
	int64_t pc; /* index of the frame of the program counter; -1 */

	/* what the reader saw go wrong */
	bool open_end;     /* the text ended within the report */
	bool overtaken;    /* another report began right behind its last line */
	bool overlong;     /* lines were left out */
	bool headless;     /* what happened stood before the text */
	unsigned breaks;   /* foreign lines between its own */
	unsigned garbled;  /* lines with bytes that no kernel prints */
	unsigned torn;     /* lines of a trace that are parts of a frame's */
	const char *mixed; /* what in it is of another report; NULL */
	bool kept;         /* who was handed it keeps it, and will report_free() it */
	bool certain;      /* the header alone says that a kernel printed it */

	/* the judgement: report_judge() */
	const char *title, *function, *pc_function, *signature, *explanation;
	bool damaged;
	const char *damage;
	const char **cycle; /* lockdep's chain in words, a step each */
	size_t n_cycle;
	unsigned cause_of, consequence_of; /* numbers of other reports; 0 none */

	/* with a vmlinux: report_place() */
	const char *match; /* "exact", "likely (37 of 38 sizes)", "mismatch"; NULL: not looked at */
	const char *match_why;
	const char *modules_why; /* why a module's frames have no lines; NULL */
	const char *member;      /* what the access was to, in words; NULL unknown */
};

void report_init(struct report *r);
void report_release(struct report *r);
void report_free(struct report *r); /* releases it, too; NULL: nothing */
/* The value that the text gives a register, by its name in report_reg; false: none. */
bool report_reg(const struct report *r, const char *name, uint64_t *ret);

/* ---- name.c: function names as they survive a rebuild */
/* Without compiler suffixes, prefixes of padding, Rust hashes and the like; syscall wrappers by one
 * name. Lives in the arena. */
const char *function_plain(struct arena *a, const char *name);
/* rust.c: "_RNvMCs1Cvw4QVbZH8_4frobNtB2_4Frob4load" as "frob::Frob::load", in the arena; NULL: it
 * is no such name. */
const char *rust_plain(struct arena *a, const char *name, size_t n);
/* Does such a name report, allocate, lock, copy, unwind or dispatch, so that it is never to blame?
 */
enum function_class {
	FUNC_PLAIN,
	FUNC_REPORT,   /* prints, warns, sanitizes, unwinds, enters exceptions */
	FUNC_LOCK,     /* takes or waits for locks */
	FUNC_WAIT,     /* schedules, sleeps */
	FUNC_MEMORY,   /* allocates, frees, copies, strings */
	FUNC_LIST,     /* lists, reference counts, trees */
	FUNC_CORE,     /* the driver core: to blame for its own faults, not for who waits in it */
	FUNC_DISPATCH, /* hands on: work queues, timers, system calls, entries, threads */
	FUNC_IDLE
};
enum function_class function_class(const char *plain);

/* ---- blame.c, title.c, signature.c */
/* Fills title, function, pc_function, signature, damaged and damage. */
void report_judge(struct report *r);
const struct report_frame *report_blame(struct report *r);
/* The function that the report itself names as the one, unless it is a helper; NULL. */
const char *report_named(struct report *r);
/* The work function of who waits or spins, where the trace shows nothing of its own; NULL. */
const char *report_work(struct report *r, const struct report_frame *guilty);
const char *report_title(struct report *r, const char *function);
/* damage.c: fills damaged and damage. */
void report_damage(struct report *r);
/* lockdep.c: fills cycle. */
void report_cycle(struct report *r);
/* Does a second report follow from the first? */
bool report_follows(const struct report *first, const struct report *second);

/* ---- explain.c: what registers, error codes and addresses mean, one line each */
void report_explain(const struct report *r, struct buf *b);
/* fault.c: error codes, syndromes and causes, decoded; one line each */
void report_fault(const struct report *r, struct buf *b);
/* "NULL + 0x20", "list poison", ...; false: an ordinary value. */
bool address_meaning(uint64_t v, const char *arch, struct buf *b);

/* ---- text.c: for people: the judgement, then the report with lines in place */
void report_text(struct report *r, bool explain, struct buf *b);

/* ---- code.c: the bytes of the Code: line, at most max; *mark is where the instruction that
 * trapped begins. How many; 0: there are none, or none is marked. */
size_t report_code(const struct report *r, uint8_t *bytes, size_t max, size_t *mark);
/* The Code: line disassembled; false when there is none */
bool report_disassemble(const struct report *r, struct buf *b);

/* The memory operand of the instruction that trapped, and the load before it that its base register
 * came of. */
struct report_operand {
	const char *base; /* "rax" */
	int64_t disp;
	bool indexed;
	const char *from; /* base = from_disp(from), `back` bytes before; NULL: not by a load */
	int64_t from_disp;
	uint64_t back;
};
bool report_operand(const struct report *r, struct report_operand *ret);

/* ---- member.c: which member of which struct the trapping instruction reached for; needs debug
 * info. Fills member; pc is the instruction's address in the target. */
void report_member(struct report *r, struct target *t, uint64_t pc);

/* ---- place.c: names and lines with a vmlinux */
/* Compares the report with what is loaded and fills the frames' places unless they do not fit. */
void report_place(struct report *r, struct target *t, bool force);

/* ---- excerpt.c: fills the source of a place, with --source */
void report_excerpt(struct report *r, struct target *t, struct report_place *place);

/* ---- reports out of a text that comes in pieces */
struct report_stream;
/* fn is called for every report; it lives until fn returns. False stops. file: its name, for the
 * reports, or NULL. */
struct report_stream *report_stream_open(const char *file, bool (*fn)(struct report *r, void *arg),
					 void *arg);
/* False: fn stopped it. */
bool report_stream_feed(struct report_stream *s, const void *bytes, size_t n);
void report_stream_close(struct report_stream *s);

#endif
