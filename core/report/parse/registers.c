/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers and program counters, by each architecture's own layout of lines. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

static const char *skip(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* Rows that name their first register only: the registers behind it follow in order. */
static const struct {
	const char *head, *prefix;
	unsigned first;
} rows[] = {
	{ "GPR00:", "r", 0 },   { "GPR04:", "r", 4 },     { "GPR08:", "r", 8 },
	{ "GPR12:", "r", 12 },  { "GPR16:", "r", 16 },    { "GPR20:", "r", 20 },
	{ "GPR24:", "r", 24 },  { "GPR28:", "r", 28 },    { "$ 0   :", "r", 0 },
	{ "$ 4   :", "r", 4 },  { "$ 8   :", "r", 8 },    { "$12   :", "r", 12 },
	{ "$16   :", "r", 16 }, { "$20   :", "r", 20 },   { "$24   :", "r", 24 },
	{ "$28   :", "r", 28 }, { "Krnl GPRS:", "r", 0 },
};

/* "rax: 0123...", "x0 : 0123", "a0 0123" */
static bool pair_at(const char *p, const char *end, const char **name, size_t *name_n,
		    uint64_t *value, const char **next)
{
	const char *s = p, *q;

	while (p < end && isalnum((unsigned char)*p) && p - s < 9)
		p++;
	*name = s;
	*name_n = (size_t)(p - s);
	if (*name_n < 2 || *name_n > 8 || !isalpha((unsigned char)*s))
		return false;
	q = skip(p, end);
	if (q < end && *q == ':') {
		q = skip(q + 1, end);
		/* "RSP: 0018:ffff...", "EFLAGS: 00010246" */
		if (end - q > 5 && q[4] == ':' && isxdigit((unsigned char)q[5]))
			q += 5;
	} else if (q == p || *name_n > 3) {
		return false;
	}
	*value = number_hex(q, end, next);
	if (*next - q < 4 || *next - q > 18 ||
	    (*next < end && !strchr(" ()[,", **next) && **next != '\t'))
		return false;
	return true;
}

static bool is_row(const char *s, size_t n, size_t *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].head[0] == s[0] && has_prefix(s, n, rows[i].head)) {
			*row = i;
			return true;
		}
	return false;
}

static bool is_register(const char *s, size_t n)
{
	static const char *const names[] = {
		"rax",    "rbx",     "rcx",    "rdx",    "rsi",     "rdi",   "rbp",     "rsp",
		"eax",    "ebx",     "ecx",    "edx",    "esi",     "edi",   "ebp",     "esp",
		"sp",     "fp",      "ip",     "lr",     "pc",      "gp",    "tp",      "ra",
		"cr0",    "cr2",     "cr3",    "cr4",    "dr0",     "dr1",   "dr2",     "dr3",
		"dr6",    "dr7",     "fs",     "gs",     "cs",      "ds",    "es",      "ss",
		"pkru",   "eflags",  "rflags", "status", "badaddr", "cause", "msr",     "cfar",
		"dar",    "dsisr",   "ctr",    "xer",    "nip",     "trap",  "irqmask", "psr",
		"pstate", "pmr",     "orig",   "estat",  "ecfg",    "crmd",  "prmd",    "euen",
		"badv",   "prid",    "epc",    "hi",     "lo",      "acx",   "badva",   "era",
		"lnk",    "control", "dac",    "zero",
	};
	char low[10];

	if (n >= sizeof(low))
		return false;
	for (size_t i = 0; i < n; i++)
		low[i] = (char)tolower((unsigned char)s[i]);
	low[n] = '\0';
	if (strchr("rxasteu", low[0]) && n <= 3 && isdigit((unsigned char)low[1]))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], low))
			return true;
	return false;
}

/* alpha: "v0 = fffffc00c58e6300  t0 = fffffffffffffff2" */
static bool is_alpha_row(const char *s, size_t n)
{
	const char *p;

	if (n < 21 || !islower((unsigned char)s[0]) || !isalnum((unsigned char)s[1]) ||
	    memcmp(s + 2, " = ", 3) != 0)
		return false;
	(void)number_hex(s + 5, s + n, &p);
	return p - s == 21;
}

bool registers_look(const char *s, size_t n)
{
	static const char *const heads[] = {
		"pstate:",  "psr:",     "RSP:",     "EAX:",    "FS:",     "lr : ",     "LR is at",
		"ra : ",    "Status:",  "Cause :",  "status:", "REGS:",   "MSR:",      "CFAR:",
		"GPR",      "LR [",     "Krnl GPR", "R:0 T:",  "BadVA",   "PrId",      "ra    :",
		"ra: ",     "CRMD",     "PRMD:",    "EUEN",    "ECFG",    "ESTAT",     "BADV",
		"PRID",     "ORIG_RAX", "$ 0",      "Hi    :", "Lo    :", "CR2:",      "EFLAGS:",
		"Control:", "DS:",      "RBP:",     "sp : ",   "RA: ",    "ra is at ", "PC  : ",
		"MACH: ",   "PR is at "
	};
	const char *name, *next;
	size_t name_n, row;
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (heads[i][0] == s[0] && has_prefix(s, n, heads[i]))
			return true;
	if (is_row(s, n, &row) || is_alpha_row(s, n))
		return true;
	return pair_at(s, s + n, &name, &name_n, &v, &next) && is_register(name, name_n);
}

static void registers_add(struct report *r, const char *name, size_t n, uint64_t value)
{
	struct report_reg *reg;
	char *low = arena_strndup(&r->arena, name, n);

	for (char *p = low; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	for (size_t i = 0; i < r->regs.n; i++)
		if (!strcmp(r->regs.p[i].name, low))
			return;
	if (r->regs.n >= 256)
		return;
	reg = vec_push(&r->regs);
	reg->name = low;
	reg->value = value;
}

static void read_row(struct report *r, size_t row, const char *p, const char *end)
{
	unsigned n = rows[row].first;

	for (p = skip(p, end); p < end && n < 32; p = skip(p, end)) {
		const char *q;
		uint64_t v = number_hex(p, end, &q);
		char name[16];
		struct buf b = { 0 };

		if (q - p < 8)
			return;
		buf_printf(&b, "%s%u", rows[row].prefix, n++);
		memcpy(name, b.s, b.n + 1);
		registers_add(r, name, b.n, v);
		buf_release(&b);
		p = q;
	}
}

void registers_read(struct report *r, const char *s, size_t n)
{
	const char *p = s, *end = s + n, *name, *next;
	size_t row, name_n;
	uint64_t v;

	if (is_row(s, n, &row)) {
		read_row(r, row, s + strlen(rows[row].head), end);
		return;
	}
	while (p < end) {
		if (isalpha((unsigned char)*p) && pair_at(p, end, &name, &name_n, &v, &next) &&
		    is_register(name, name_n)) {
			registers_add(r, name, name_n, v);
			p = next;
			continue;
		}
		while (p < end && *p != ' ')
			p++;
		p = skip(p, end);
	}
}

/* Where the program counter's function stands on the line, by what the line starts with. */
static const struct {
	const char *head, *arch;
} pc_heads[] = {
	{ "RIP:", "x86_64" },
	{ "RIP ", "x86_64" },
	{ "EIP is at ", "i386" },
	{ "EIP:", "i386" },
	{ "IP: ", NULL },
	{ "PC is at ", NULL },
	{ "pc : ", NULL },
	{ "pc: ", NULL }, /* powerpc's xmon */
	{ "pc is at ", "alpha" },
	{ "pc = [<", "alpha" },
	{ "epc : ", "riscv64" },
	{ "epc: ", "riscv64" },
	{ "NIP [", "ppc64" },
	{ "NIP:", "ppc64" },
	{ "Krnl PSW", "s390x" },
	{ "epc   :", "mips" },
	{ "ERA:", "loongarch64" },
	{ "era   :", "loongarch64" },
	{ "--- interrupt:", "ppc64" },
	{ "TPC: <", "sparc64" },
	{ "PC: [<", "m68k" },
	{ "IAOQ[0]:", "parisc" },
	{ "[ERET  ]:", "arc" },
};

const char *powerpc_of(const char *p, const char *end)
{
	const char *q;

	p = skip(p, end);
	p += p < end && *p == '[';
	(void)number_hex(p, end, &q);
	return q - p == 8 ? "ppc" : "ppc64";
}

static const char *find_symbol(struct arena *a, const char *p, const char *end,
			       struct report_frame *f)
{
	const char *q;

	while (p < end) {
		if ((p[0] == '_' || p[0] == '.' || isalpha((unsigned char)*p)) &&
		    frame_symbol(a, *p == '.' ? p + 1 : p, end, f, &q))
			return q;
		while (p < end && *p != ' ' && *p != '(' && *p != ':' && *p != ']')
			p++;
		if (p < end)
			p++;
	}
	return NULL;
}

/* The first hexadecimal number of 8 digits or more, or 0x0. */
static bool find_address(const char *p, const char *end, uint64_t *ret)
{
	while (p < end) {
		if (isxdigit((unsigned char)*p)) {
			const char *q;
			uint64_t v = number_hex(p, end, &q);

			if (q - p >= 8 || (p[0] == '0' && q - p >= 3 && p[1] == 'x')) {
				*ret = v;
				return true;
			}
			p = q > p ? q : p + 1;
			while (p < end && isalnum((unsigned char)*p))
				p++;
		} else {
			p++;
		}
	}
	return false;
}

static bool bare_name(const char *s, const char *end)
{
	const char *p = s;
	bool under = false;

	for (; p < end && (isalnum((unsigned char)*p) || *p == '_'); p++)
		under |= *p == '_';
	return p == end && under && !isdigit((unsigned char)*s);
}

/* "epc : f+0x ra : ...": the name of a function whose offset was lost, at p. */
static bool torn_symbol(struct arena *a, const char *p, const char *end, struct report_frame *f)
{
	const char *q = p;

	while (q < end && (isalnum((unsigned char)*q) || *q == '_' || *q == '.'))
		q++;
	if (q == p || isdigit((unsigned char)*p) || end - q < 3 || memcmp(q, "+0x", 3) != 0 ||
	    (q + 3 < end && q[3] != ' '))
		return false;
	f->func = a ? arena_strndup(a, p, (size_t)(q - p)) : p;
	return true;
}

bool pc_parse(struct arena *a, const char *s, size_t n, struct report_frame *f, const char **arch,
	      bool *user)
{
	const char *end = s + n, *p = s, *at;
	uint64_t addr = 0;

	memset(f, 0, sizeof(*f));
	*arch = NULL;
	*user = false;
	for (size_t i = 0; i < ARRAY_SIZE(pc_heads); i++)
		if (pc_heads[i].head[0] == s[0] && has_prefix(s, n, pc_heads[i].head)) {
			*arch = pc_heads[i].arch;
			p = s + strlen(pc_heads[i].head);
			break;
		}
	if (p == s)
		return false;
	p = skip(p, end);
	if (*arch && !strcmp(*arch, "ppc64") && has_prefix(s, n, "NIP"))
		*arch = powerpc_of(p, end);
	f->reliable = f->exact = true;
	if (has_prefix(p, (size_t)(end - p), "0033:") ||
	    has_prefix(p, (size_t)(end - p), "0023:") ||
	    has_prefix(p, (size_t)(end - p), "0073:")) {
		*user = true;
		return false;
	}
	/* a segment in front */
	if (end - p > 5 && p[4] == ':' && isxdigit((unsigned char)p[0]) &&
	    isxdigit((unsigned char)p[3]))
		p += 5;
	if (has_prefix(s, n, "Krnl PSW")) { /* the mask first, of 16 digits */
		const char *colon = find_text(s, n, " : ");

		p = colon ? skip(colon + 3, end) : end;
		p = end - p > 16 ? p + 16 : end;
	}
	at = memchr(p, '{', (size_t)(end - p));
	at = at ? memrchr(p, '<', (size_t)(at - p)) : NULL;
	if (at && frame_braced(a, at, (size_t)(end - at), f)) {
		f->exact = true;
		return true;
	}
	if (find_address(p, end, &addr) && addr > 0xffff)
		f->addr = addr;
	if (torn_symbol(a, p, end, f))
		return true;
	if ((at = find_symbol(a, p, end, f))) {
		frame_source(a, at, end, f);
		if (f->addr && f->addr < 0x10000)
			f->addr = 0;
		return true;
	}
	if (frame_sourced(a, p, end, f))
		return true;
	if (has_prefix(s, n, "pc : ") && bare_name(p, end)) { /* somebody cut the offset off */
		f->func = a ? arena_strndup(a, p, (size_t)(end - p)) : p;
		return true;
	}
	f->func = NULL;
	f->addr = addr;
	return find_address(p, end, &addr) &&
	       (strncmp(s, "IP", 2) != 0 || addr > 0xffff || addr == 0);
}

static bool is_arch(const struct report *r, const char *arch)
{
	return r->arch && !strcmp(r->arch, arch);
}

/* By the architectures' manuals: riscv's scause,
 * the exception codes of mips and loongarch (both ambiguous for loads and fetches on mips), ppc64's
 * vector and ISSTORE, WnR of arm's FSR, the store and fetch bits of s390x's TEID. */
const char *registers_access(const struct report *r)
{
	static const char *const riscv[16] = { [12] = "execute", [13] = "read", [15] = "write" };
	static const char *const mips[8] = { NULL, "write", "read", "write", "read", "write" };
	static const char *const loongarch[8] = { NULL,    "read", "write",  "execute",
						  "write", "read", "execute" };
	uint64_t v, at;

	if ((is_arch(r, "riscv64") || is_arch(r, "riscv32")) && report_reg(r, "cause", &v))
		return v < ARRAY_SIZE(riscv) ? riscv[v] : NULL;
	if (is_arch(r, "mips") && report_reg(r, "cause", &v)) {
		v = v >> 2 & 31;
		return v < ARRAY_SIZE(mips) ? mips[v] : NULL;
	}
	if (is_arch(r, "loongarch64") && report_reg(r, "estat", &v)) {
		v = v >> 16 & 63;
		return v < ARRAY_SIZE(loongarch) ? loongarch[v] : NULL;
	}
	if (is_arch(r, "ppc64") || is_arch(r, "ppc")) {
		bool known = report_reg(r, "trap", &v);

		if (known && v == 0x400)
			return "execute";
		if (known && v == 0x300 && report_reg(r, "dsisr", &v))
			return v & 0x02000000 ? "write" : "read";
	}
	if (is_arch(r, "arm") && r->has_error) {
		at = r->pc >= 0 ? r->frames.p[r->pc].addr : 0;
		return r->error & 0x800 ? "write" : at && at == r->address ? "execute" : "read";
	}
	if (r->has_error && r->error_name && !strcmp(r->error_name, "TEID")) {
		v = r->error >> 10 & 3;
		return v == 1 ? "write" : v == 2 ? "read" : NULL;
	}
	return NULL;
}

const char *registers_arch(const char *s, size_t n)
{
	static const struct {
		const char *head, *also,
			*arch; /* also: stands in the line as well; NULL: need not */
	} v[] = {
		{ "pstate:", NULL, "aarch64" },   { "$28", NULL, "mips" },
		{ "x29:", NULL, "aarch64" },      { "EAX:", NULL, "i386" },
		{ "ESI:", NULL, "i386" },         { "RSP:", NULL, "x86_64" },
		{ "RAX:", NULL, "x86_64" },       { "status:", "badaddr", "riscv64" },
		{ "RBP:", NULL, "x86_64" },       { "EFLAGS:", NULL, "i386" },
		{ "GPR", " GPR01:", "openrisc" }, { "GPR", NULL, "ppc64" },
		{ "REGS:", NULL, "ppc64" },       { "$ 0", NULL, "mips" },
		{ "$28", NULL, "mips" },          { "CRMD", NULL, "loongarch64" },
		{ "ESTAT", NULL, "loongarch64" }, { "Krnl GPRS", NULL, "s390x" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		if (!has_prefix(s, n, v[i].head) || (v[i].also && !find_text(s, n, v[i].also)))
			continue;
		if (!strcmp(v[i].arch, "ppc64")) {
			const char *colon = memchr(s, ':', n);

			return powerpc_of(colon ? colon + 1 : s + n, s + n);
		}
		return v[i].arch;
	}
	return is_alpha_row(s, n) ? "alpha" : NULL;
}
