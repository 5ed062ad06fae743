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
	KIND_PAGE_ALLOC,
	KIND_IRQ,
	KIND_FS_ERROR,
	KIND_EDAC_CE,
	KIND_EDAC_UE,
	KIND_NMI,
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
	KIND_BARE = 512,     /* may be whole without any trace */
	/* Something the kernel is made to meet, and after which it works on: no fault of its own */
	KIND_NO_FAULT = 1024,
	KIND_OFTEN = 2048 /* one line of it is an ordinary day's, several are a report */
};
/* Does the kind have any of these traits (enum kind_trait, ORed)? */
bool report_kind_is(enum report_kind kind, unsigned traits);
static inline bool report_kind_is_kasan(enum report_kind kind)
{
	return kind >= KIND_KASAN_UAF && kind <= KIND_KASAN_WILD;
}
struct report;
/* Is it a fault? What the kernel is made to meet is none, unless it panicked of that. */
bool report_is_fault(const struct report *r);

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

/* A function that an address is in, with its line; several of them have the innermost first. */
struct report_place {
	const char *func, *file;
	unsigned line;
	bool inlined;
	/* the n_source lines of its source from line `first` on, where that was found */
	const char *const *source;
	unsigned first, n_source;
};

struct report_frame {
	const char *func; /* as it is printed; NULL: only an address is */
	uint64_t off, size;
	bool has_off;
	const char *module, *module_id; /* NULL: the kernel, unknown */
	uint64_t addr;                  /* 0 unknown */
	bool reliable;
	bool exact;     /* it is the instruction that ran; otherwise a return address */
	bool pc;        /* it is the program counter that the report is about */
	bool link;      /* the link register has it, and no trace */
	bool duplicate; /* it says what another frame says, too, as the RIP behind the trace does */
	/* func is not the text's, which has the address alone, or the function behind this one */
	bool resolved;
	enum trace_role role;
	enum frame_where where;
	unsigned trace;       /* which call trace of the report it is in; the first is 0 */
	uint32_t line;        /* index into report.lines */
	const char *src_file; /* if the text itself has it */
	unsigned src_line;
	bool src_inlined;
	const struct report_place *places; /* from the vmlinux */
	size_t n_places;
};

/* What lockdep says of a lock. */
enum lock_role {
	LOCK_NONE,
	LOCK_WANTED,   /* the task is taking it */
	LOCK_HELD,     /* the task holds it meanwhile */
	LOCK_TAKEN,    /* it was taken together with the other, at another time */
	LOCK_RELEASED, /* it was released although nobody held it */
	LOCK_FREED,    /* its memory was freed while it was held */
	LOCK_CHAIN     /* "-> #2": it was taken while the one of number 1 was held */
};
struct report_lock {
	const char *class; /* "&mm->mmap_lock" */
	const char *by;    /* the function after "at:"; NULL */
	enum lock_role role;
	unsigned number; /* of LOCK_CHAIN */
	size_t frame;    /* how many frames of the report stood before it */
};

struct report_reg {
	const char *name; /* lower case: "rax", "x0", "r0" */
	uint64_t value;
};

struct report_line {
	const char *raw;  /* as it was, without its newline */
	const char *text; /* without prefixes and quoting */
	uint32_t raw_n, n;
	uint16_t indent; /* columns between the prefixes that were taken off and text */
	uint64_t time_ns;
	bool has_time;
	bool foreign;  /* it stands between the report's lines, and is not one of them */
	bool odd;      /* it has bytes that nobody prints */
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
	const char *named;    /* the function that the headline names; NULL: it names none */
	const char *named2;   /* the other function that the headline of a data race names; NULL */
	const char *arch;     /* as uname -m; NULL unknown */
	const char *release, *taint, *comm, *hardware, *workqueue, *panic, *build_id;
	const char *version; /* what stands behind the release: "#1  Debian 6.1.192-2"; NULL */
	const char *access;  /* "read", "write", "execute", "free"; NULL */
	const char *where;   /* FILE:LINE of a BUG, WARNING or UBSAN */
	const char *asked; /* who asked for the crash, "sysrq": nothing is to blame; NULL: nobody */
	const char *usage; /* lockdep's "{IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage." */
	const char *object; /* the slab or object that the address belongs to */
	bool has_taint, tainted;
	bool has_cpu, has_pid, has_address, has_code, has_error, has_access_size;
	bool has_offset; /* kernel_offset is known */
	int64_t cpu, pid;
	uint64_t address, error, access_size, kernel_offset;
	uint64_t linked_at;     /* what kernel_offset is counted from; 0 unknown */
	unsigned oops_number;   /* of "[#2]"; 0 unknown */
	const char *error_name; /* "error_code", "ESR", "DSISR", "cause" */
	const char *code;       /* the Code: line's words */
	bool user_code;         /* the code is of a program, not of the kernel */
	const char *const *modules;
	size_t n_modules;
	const char *const *locks; /* held locks and lockdep's chain, as printed */
	size_t n_locks;
	int64_t pc; /* index of the frame of the program counter; -1 */
	/* index of the frame whose function is to blame; -1: none is. Set by report_judge() */
	int64_t guilty;
	bool idle;    /* nobody is to blame, because the CPU had nothing to do; set with it */
	bool guessed; /* no frame of its own traces is certain, and the guesses are judged */

	/* what the reader saw go wrong */
	bool open_end;     /* the text ended within the report */
	bool overtaken;    /* another report began right behind its last line */
	bool overlong;     /* lines were left out */
	bool headless;     /* what happened stood before the text */
	unsigned breaks;   /* foreign lines between its own */
	unsigned garbled;  /* lines with bytes that no kernel prints */
	unsigned torn;     /* lines of a trace that are parts of a frame's */
	unsigned elided;   /* places of a trace where whoever passed it on left lines out: "..." */
	const char *mixed; /* what shows that lines of another report are in it; NULL: nothing */
	bool untold;       /* of what both such reports tell, and not alike, nothing is said */
	const char *rival; /* the function that such a report's program counter is in; NULL: none */
	bool kept;         /* who was handed it keeps it, and will report_free() it */
	bool certain;      /* the header alone says that a kernel printed it */

	/* the judgement: report_judge() */
	const char *title, *function, *pc_function, *signature, *explanation;
	const char **also, **also_why; /* other suspects, and why each is one */
	size_t n_also;
	bool damaged;       /* something is missing or wrong that the judgement may depend on */
	const char *damage; /* what; NULL: nothing is known. Also set where nothing depends on it */
	const char **cycle; /* lockdep's chain in words, one for each step */
	size_t n_cycle;
	unsigned cause_of, consequence_of; /* the numbers of other reports; 0: of none */

	/* with a vmlinux: report_place() */
	/* "exact": no other kernel fits; "likely (37 of 38 sizes)", "unproven", "mismatch"; NULL:
	 * not looked at */
	const char *match;
	const char *match_why;
	bool match_names;          /* it is of a table of names, and not of a vmlinux */
	const char *lines_why;     /* why a vmlinux that fits gives no lines; NULL */
	const char *addresses_why; /* how addresses without a name got one, or why not; NULL */
	const char *modules_why;   /* why a module's frames have no lines; NULL */
	const char *member; /* the member that the access was to, in words; NULL: not known */
};

void report_init(struct report *r);
void report_release(struct report *r);
/* Releases and frees a report; r may be NULL. */
void report_free(struct report *r);
/* Sets *ret to the value that the text gives the register of that name, in lower case: "rax".
 * False: it gives none. */
bool report_reg(const struct report *r, const char *name, uint64_t *ret);

/* ---- name.c: function names as they survive a rebuild */
/* The name of a function without what differs from build to build: suffixes of compilers, prefixes
 * of padding, hashes of Rust. The wrappers of a system call have one name. In the arena. */
const char *function_plain(struct arena *a, const char *name);
/* The same as it is written in the source: "_noprof" stays, which the kernel puts behind the names
 * of functions that a macro calls. */
const char *function_written(struct arena *a, const char *name);
/* rust.c: what n bytes of a mangled name stand for: "frob::Frob::load" for
 * "_RNvMCs1Cvw4QVbZH8_4frobNtB2_4Frob4load"; in the arena. NULL: it is no such name. */
const char *rust_plain(struct arena *a, const char *name, size_t n);
/* What a function does. What each means for the blame is in blame.c, and where they come from in
 * places.rules. */
enum function_class {
	FUNC_PLAIN,
	FUNC_REPORT,   /* prints, warns, sanitizes, unwinds */
	FUNC_ENTRY,    /* the way in of exceptions, interrupts and system calls, and the way out */
	FUNC_LOCK,     /* takes or waits for locks */
	FUNC_MEMORY,   /* allocates, frees, copies, compares */
	FUNC_HELPER,   /* lists, reference counts, trees, functions of headers */
	FUNC_WAIT,     /* schedules, sleeps, keeps time */
	FUNC_PLUMBER,  /* carries the work of others: queues, threads, cores of buses */
	FUNC_CORE,     /* the core of all drivers, which takes a lock of a device for others */
	FUNC_DISPATCH, /* calls the function of somebody: timers, system calls, entries, threads */
	FUNC_GATE,     /* a way in from programs that calls what a file or a socket is */
	FUNC_IDLE
};
/* class.c: the class of a function by its plain name. */
enum function_class function_class(const char *plain);
/* Is the frame an interrupt's way in? What lies below it was running. */
bool frame_is_interrupt(const struct report_frame *f);
/* Does the frame count for the blame: is it certain, once, and of the function that it names? */
bool frame_counts(const struct report *r, const struct report_frame *f);
/* The class of a frame, which has a function. */
enum function_class frame_class(struct report *r, const struct report_frame *f);

/* ---- blame.c, title.c, signature.c */
/* Fills title, function, pc_function, signature, damaged and damage; again when frames have got
 * names. */
void report_judge(struct report *r);
/* Looks for the frame whose function is to blame; NULL: none is. */
const struct report_frame *report_blame(struct report *r);
/* That frame, of a report that was judged; NULL: it has none. */
const struct report_frame *report_guilty(const struct report *r);
/* The first frame from index `from` on, in traces of that role, whose function does something of
 * its own; else the first that carries the work of others. NULL: there is neither. */
const struct report_frame *report_first_own(struct report *r, size_t from, enum trace_role role);
/* also.c: fills also and also_why. guilty is the frame of the first suspect; NULL: it has none. */
void report_suspects(struct report *r, const struct report_frame *guilty);
/*
 * Sets names, room for max of them, to the functions that tell its bug from others, and returns how
 * many: from the guilty frame (NULL: none) to its callers, each once, as they survive a rebuild, up
 * to what calls whatever it is told to (a thread, a timer, a system call). Left out are those that
 * stand in many stacks (locks, allocators), frames that are uncertain, and inlined ones. *whole:
 * the trace was there that far, and had no more.
 */
size_t report_trail(struct report *r, const struct report_frame *guilty, const char **names,
		    size_t max, bool *whole);
/* The function that the report's text itself names as the one to blame, unless it is a helper;
 * NULL: it names none. */
const char *report_named(struct report *r);
/* Of a task that hangs or a CPU that spins in a wait which all others have to end: the wait's name,
 * "synchronize_rcu" or "smp_call_function". NULL: what is known to be to blame, in `guilty`, waits
 * for something else. */
const char *report_wait_for_all(struct report *r, const struct report_frame *guilty);
/* The work function of a worker that waits or spins in `guilty`, where the trace shows no other
 * function of its own; NULL: there is none. */
const char *report_work(struct report *r, const struct report_frame *guilty);
/* The title of the report, with the function that is to blame. */
const char *report_title(struct report *r, const char *function);
/* damage.c: fills damaged and damage. */
void report_damage(struct report *r);
/* lockdep.c: the function that took the lock of index i of the chain, which is a LOCK_CHAIN; NULL:
 * its trace is not there. */
const char *report_taker(struct report *r, size_t i);
/* lockdep.c: fills cycle. */
void report_cycle(struct report *r);
/* Is the second report a consequence of the first? */
bool report_follows(const struct report *first, const struct report *second);

/* ---- explain.c: what registers, error codes and addresses mean, one line each */
void report_explain(const struct report *r, struct buf *b);
/* fault.c: error codes, syndromes and causes, decoded; one line each */
void report_fault(const struct report *r, struct buf *b);
/* Appends what a value means as an address: "NULL + 0x20", "list poison", ... False: it is an
 * ordinary one, and nothing is appended. */
bool address_meaning(uint64_t v, const char *arch, struct buf *b);

/* ---- words.c: for people: appends the judgement, then the report with source lines in their
 * places */
void report_text(struct report *r, bool explain, struct buf *b);

/* ---- code.c */
/* Copies the bytes of the Code: line, at most max, sets *mark to where the instruction that trapped
 * begins among them, and returns how many they are. 0: there are none, or none is marked. */
size_t report_code(const struct report *r, uint8_t *bytes, size_t max, size_t *mark);
/* Appends the Code: line, disassembled. False: there is none. */
bool report_disassemble(const struct report *r, struct buf *b);

/* The memory operand of the instruction that trapped, and the load before it that set the operand's
 * base register. */
struct report_operand {
	const char *base; /* "rax" */
	int64_t disp;
	bool indexed;
	/* the base register was loaded from from_disp(from), by the instruction `back` bytes
	 * before; NULL: it was not set by a load */
	const char *from;
	int64_t from_disp;
	uint64_t back;
};
bool report_operand(const struct report *r, struct report_operand *ret);

/* ---- member.c: sets r->member to the member of a struct that the instruction which trapped
 * reached for; needs debug info. pc is the instruction's run-time address in the target. */
void report_member(struct report *r, struct target *t, uint64_t pc);

/* ---- match.c, address.c, place.c: names and lines with a vmlinux */
/* Compares the report with the vmlinux that is loaded, sets r->match, and fills the places of the
 * frames. Where the two do not fit together only `force` has it do so. */
void report_place(struct report *r, struct target *t, bool force);

/* ---- excerpt.c: fills the source of a place, with --source */
void report_excerpt(struct report *r, struct target *t, struct report_place *place);

/* ---- reports out of a text that comes in pieces */
struct report_stream;
/* Opens a stream that calls fn for every report in the text. The report is freed when fn returns,
 * unless fn sets r->kept; fn returns false to stop. `file` is the text's name, for the reports, or
 * NULL. */
struct report_stream *report_stream_open(const char *file, bool (*fn)(struct report *r, void *arg),
					 void *arg);
/* Hands over the next n bytes of the text. False: fn stopped the stream. */
bool report_stream_feed(struct report_stream *s, const void *bytes, size_t n);
/* Says that no more of the text is there for now: what is held until more follows is looked at. */
void report_stream_flush(struct report_stream *s);
void report_stream_close(struct report_stream *s);

#endif
