/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the reader of reports: every kind and architecture, and that no way of pasting matters. */
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/test.h"
#include "core/report/parse/parse.h"

#define CAPTURES "testdata/captures/oops/"

struct seen {
	struct arena arena;
	unsigned n;
	const char *kind, *title, *function, *signature, *arch, *comm, *release, *damage, *pc;
	bool damaged;
	size_t frames;
	unsigned cause, consequence;
};

static const char *keep(struct seen *s, const char *text)
{
	return text ? arena_strdup(&s->arena, text) : "";
}

static bool on_first(struct report *r, void *arg)
{
	struct seen *s = arg;

	s->n++;
	if (r->consequence_of)
		s->consequence = r->consequence_of;
	if (r->consequence_of || s->kind)
		return true;
	s->kind = report_kind_name(r->kind);
	s->title = keep(s, r->title);
	s->function = keep(s, r->function);
	s->signature = keep(s, r->signature);
	s->arch = keep(s, r->arch);
	s->comm = keep(s, r->comm);
	s->release = keep(s, r->release);
	s->damage = keep(s, r->damage);
	s->pc = keep(s, r->pc_function);
	s->damaged = r->damaged;
	s->frames = r->frames.n;
	s->cause = r->cause_of;
	return true;
}

static struct seen decode(const char *text, size_t n, size_t chunk)
{
	struct seen seen = { .n = 0 };
	struct report_stream *s = report_stream_open("test", on_first, &seen);

	for (size_t at = 0; at < n; at += chunk)
		report_stream_feed(s, text + at, n - at < chunk ? n - at : chunk);
	report_stream_close(s);
	return seen;
}

static struct seen decode_str(const char *text)
{
	return decode(text, strlen(text), 4096);
}

/* Ways of pasting: what stands before each line, %u being its number, and what ends it. */
struct style {
	const char *name, *before, *end;
	bool qp, html, wrap;
};
static const struct style styles[] = {
	{ "printk time", "[ 1234.%06u] ", "\n", false, false, false },
	{ "printk time and caller", "[ 1234.%06u][ T1234] ", "\n", false, false, false },
	{ "dmesg -r", "<4>[ 1234.%06u] ", "\r\n", false, false, false },
	{ "dmesg -x", "kern  :warn  : [ 1234.%06u] ", "\n", false, false, false },
	{ "dmesg -T", "[Mon Jan  6 10:20:%02u 2025] ", "\n", false, false, false },
	{ "kmsg", "4,%u,5678901,-;", "\n", false, false, false },
	{ "syslog", "Feb 26 19:12:30 host kernel: [ 5333.%06u] ", "\n", false, false, false },
	{ "journald", "Apr 01 12:34:56.%06u host kernel: ", "\n", false, false, false },
	{ "iso", "2025-01-06T10:20:30,%06u+01:00 ", "\n", false, false, false },
	{ "console server", "2024/01/02 03:04:05 [LPAR01]: [ 1234.%06u] ", "\n", false, false,
	  false },
	{ "lava", "2025-01-06T10:20:30.%06uZ [ 1234.567890] ", "\n", false, false, false },
	{ "login prompt", "qemu login: [ 1234.%06u] ", "\n", false, false, false },
	{ "quoted", "> ", "\n", false, false, false },
	{ "quoted thrice", "> > > [ 1234.%06u] ", "\n", false, false, false },
	{ "quoted with bars", ">>   | ", "\n", false, false, false },
	{ "quoted-printable", "[ 1234.%06u] ", "\n", true, false, false },
	{ "html", "", "\n", false, true, false },
	{ "colours", "\033[0;31m[ 1234.%06u] \033[0m", "\n", false, false, false },
	{ "CR", "", "\r", false, false, false },
	{ "NULs", "<1>", "\0", false, false, false },
	{ "wrapped", "[ 1234.%06u] ", "\n", false, false, true },
};

static void add_body(struct buf *b, const struct style *st, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (st->html && s[i] == '<')
			buf_str(b, "&lt;");
		else if (st->html && s[i] == '>')
			buf_str(b, "&gt;");
		else if (st->qp && s[i] == '=')
			buf_str(b, "=3D");
		else
			buf_char(b, s[i]);
	}
}

/* At 72 columns, at a blank, as mail programs do. */
static void add_wrapped(struct buf *to, const char *s, size_t n)
{
	while (n > 72) {
		size_t k = 72;

		while (k > 40 && s[k] != ' ')
			k--;
		if (s[k] != ' ')
			break;
		buf_add(to, s, k);
		buf_char(to, '\n');
		s += k + 1;
		n -= k + 1;
	}
	buf_add(to, s, n);
}

static void add_qp(struct buf *to, const char *s, size_t n)
{
	while (n > 76) {
		size_t k = 75;

		/* an encoded byte is not broken */
		for (size_t i = 1; i <= 2; i++)
			if (s[k - i] == '=') {
				k -= i;
				break;
			}
		buf_add(to, s, k);
		buf_str(to, "=\n");
		s += k;
		n -= k;
	}
	buf_add(to, s, n);
}

static void restyle(struct buf *to, const struct style *st, struct span text)
{
	const char *s = (const char *)text.p, *end = s + text.n;

	for (unsigned number = 10; s < end; number++) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		struct buf line = { 0 };

		for (const char *p = st->before; *p; p++) {
			if (!strncmp(p, "%06u", 4))
				buf_printf(&line, "%06u", number);
			else if (!strncmp(p, "%02u", 4))
				buf_printf(&line, "%02u", number % 60);
			else if (!strncmp(p, "%u", 2))
				buf_printf(&line, "%u", number);
			else {
				buf_char(&line, *p);
				continue;
			}
			p += p[1] == 'u' ? 1 : 3;
		}
		add_body(&line, st, s, (size_t)(nl - s));
		if (st->wrap)
			add_wrapped(to, buf_text(&line), line.n);
		else if (st->qp)
			add_qp(to, buf_text(&line), line.n);
		else
			buf_add(to, buf_text(&line), line.n);
		buf_add(to, st->end, *st->end ? strlen(st->end) : 1);
		buf_release(&line);
		s = nl + 1;
	}
}

/* One row of the list of what each text says: "name|kind|function|title|architecture". */
static bool each_capture(void (*fn)(const char *const *f, struct span text))
{
	struct arena a = { 0 };
	struct file *list;
	struct err err;
	const char *s;

	if (!CHECK_OK(file_open(&a, CAPTURES "expected", &list, &err), err))
		return false;
	s = arena_strndup(&a, (const char *)list->map.p, list->map.n);
	while (*s) {
		size_t n = strcspn(s, "\n");
		char *line = arena_strndup(&a, s, n);
		const char *f[5];
		struct file *text;

		s += n + (s[n] == '\n');
		if (*line == '#' || !*line)
			continue;
		for (size_t i = 0; i < 5; i++) {
			char *bar = strchr(line, '|');

			f[i] = line;
			if (bar) {
				*bar = '\0';
				line = bar + 1;
			}
		}
		if (CHECK_OK(file_open(&a, arena_printf(&a, CAPTURES "%s.txt", f[0]), &text, &err),
			     err)) {
			fn(f, text->map);
			file_close(text);
		}
	}
	file_close(list);
	arena_release(&a);
	return true;
}

static void check_plain(const char *const *f, struct span text)
{
	struct seen s = decode((const char *)text.p, text.n, 4096);

	if (!CHECK(s.kind != NULL)) {
		printf("  %s: no report\n", f[0]);
		return;
	}
	if (!CHECK_STR(s.kind, f[1]) | !CHECK_STR(s.function, f[2]) | !CHECK_STR(s.title, f[3]) |
	    !CHECK_STR(s.arch, f[4]) | !CHECK(!s.damaged))
		printf("  in %s (%s)\n", f[0], s.damage);
	arena_release(&s.arena);
}

static void check_styles(const char *const *f, struct span text)
{
	struct seen plain = decode((const char *)text.p, text.n, 4096);

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		struct buf b = { 0 };
		struct seen s;

		restyle(&b, &styles[i], text);
		s = decode(b.s, b.n, 1 + i * 7);
		if (!CHECK(s.kind != NULL) || !CHECK_STR(s.signature, plain.signature) ||
		    !CHECK_STR(s.title, plain.title) || !CHECK_STR(s.comm, plain.comm) ||
		    !CHECK_STR(s.release, plain.release) || !CHECK_STR(s.arch, plain.arch) ||
		    !CHECK_STR(s.pc, plain.pc) || !CHECK_U64(s.frames, plain.frames) ||
		    !CHECK_U64(s.damaged, plain.damaged))
			printf("  in %s, %s\n", f[0], styles[i].name);
		arena_release(&s.arena);
		buf_release(&b);
	}
	arena_release(&plain.arena);
}

TEST(every_kind_and_architecture)
{
	each_capture(check_plain);
}

TEST(pasting_does_not_matter)
{
	each_capture(check_styles);
}

/* Ordinary lines that look a little like reports; none is one. */
TEST(no_false_alarms)
{
	static const char *const texts[] = {
		"[   12.345678] widget[123]: segfault at 0 ip 00007f3c sp 00007ffc error 4 in libc.so\n",
		"[   12.345678] traps: widget[123] general protection fault ip:7f3c sp:7ffc error:0\n",
		"[   12.345678] systemd[1]: Started Daily Cleanup of Temporary Directories.\n",
		"[   12.345678] WARNING: Unprivileged eBPF is enabled with eIBRS on\n",
		"[   12.345678] EXT4-fs (sda1): warning: mounting fs with errors\n",
		"[   12.345678] INFO: NMI handler (perf) took too long to run: 1.234 msecs\n",
		"[   12.345678] mce: [Hardware Error]: Machine check events logged\n",
		"cc: warning: x.c:12: unused\nmake: *** [x] Error 1\n",
		"#0  0x00007f3c1bd2f740 in raise () from /lib/libc.so.6\n#1  0x000055d main () at x.c:3\n",
		"Dear all,\n\nI saw a BUG: KASAN: use-after-free somewhere. Oops.\n",
		"Subject: [PATCH] fix general protection fault in foo\n\nThis fixes it.\n",
		"Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nKeyError: 1\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct seen s = decode_str(texts[i]);

		if (!CHECK(!s.kind))
			printf("  %s of %s", s.title, texts[i]);
		arena_release(&s.arena);
	}
}

TEST(a_panic_follows_its_cause)
{
	struct seen s = decode_str(
		"[   12.000001] BUG: KASAN: slab-use-after-free in widget_poll+0x1b3/0x200\n"
		"[   12.000002] Read of size 8 at addr ffff88810c6d2a18 by task widgetd/1234\n"
		"[   12.000003] CPU: 3 PID: 1234 Comm: widgetd Not tainted 6.1.55 #7\n"
		"[   12.000004] Call Trace:\n"
		"[   12.000005]  kasan_report+0xc8/0x130\n"
		"[   12.000006]  widget_poll+0x1b3/0x200\n"
		"[   12.000007] ==================================================================\n"
		"[   12.000008] Kernel panic - not syncing: KASAN: panic_on_warn set ...\n"
		"[   12.000009] CPU: 3 PID: 1234 Comm: widgetd Not tainted 6.1.55 #7\n"
		"[   12.000010] Call Trace:\n"
		"[   12.000011]  panic+0x118/0x2ed\n"
		"[   12.000012]  end_report+0x18/0x20\n"
		"[   12.000013]  widget_poll+0x1b3/0x200\n"
		"[   12.000014] ---[ end Kernel panic - not syncing: KASAN: panic_on_warn set ... ]---\n");

	CHECK_U64(s.n, 2);
	CHECK_STR(s.kind, "kasan-use-after-free");
	CHECK_U64(s.cause, 2);
	CHECK_U64(s.consequence, 1);
	arena_release(&s.arena);
}

/* Two CPUs' reports line by line, told apart by who printed each. */
TEST(callers_are_told_apart)
{
	struct seen s = decode_str(
		"[   12.000001][ T1234] BUG: kernel NULL pointer dereference, address: 0000000000000020\n"
		"[   12.000001][ T4321] ------------[ cut here ]------------\n"
		"[   12.000002][ T1234] Oops: 0002 [#1] PREEMPT SMP PTI\n"
		"[   12.000002][ T4321] WARNING: CPU: 1 PID: 4321 at drivers/misc/gadget.c:1 gadget+0x1/0x20\n"
		"[   12.000003][ T1234] CPU: 3 PID: 1234 Comm: widgetd Not tainted 6.1.55 #7\n"
		"[   12.000003][ T4321] CPU: 1 PID: 4321 Comm: gadgetd Not tainted 6.1.55 #7\n"
		"[   12.000004][ T1234] RIP: 0010:widget_flush+0x2a/0xd0\n"
		"[   12.000004][ T4321] RIP: 0010:gadget+0x1/0x20\n"
		"[   12.000005][ T4321] Call Trace:\n"
		"[   12.000006][ T1234] Call Trace:\n"
		"[   12.000007][ T4321]  gadget_open+0x10/0x20\n"
		"[   12.000008][ T1234]  widget_ioctl+0x9c/0x1a0\n"
		"[   12.000009][ T1234] ---[ end trace 0000000000000000 ]---\n"
		"[   12.000009][ T4321] ---[ end trace 0000000000000000 ]---\n");

	CHECK_U64(s.n, 2);
	CHECK_STR(s.function, "widget_flush");
	CHECK_STR(s.comm, "widgetd");
	CHECK_U64(s.frames, 2);
	arena_release(&s.arena);
}

TEST(pstore_parts_are_put_in_order)
{
	struct seen s =
		decode_str("Oops#1 Part1\n"
			   "<4>[   12.000008]  widget_ioctl+0x9c/0x1a0\n"
			   "<4>[   12.000009] ---[ end trace 0000000000000000 ]---\n"
			   "Oops#1 Part2\n"
			   "<1>[   12.000001] BUG: kernel NULL pointer dereference, address: 20\n"
			   "<4>[   12.000002] Oops: 0002 [#1] PREEMPT SMP PTI\n"
			   "<4>[   12.000003] CPU: 3 PID: 1 Comm: init Not tainted 6.1.55 #7\n"
			   "<4>[   12.000004] RIP: 0010:widget_flush+0x2a/0xd0\n"
			   "<4>[   12.000005] Call Trace:\n");

	CHECK_U64(s.n, 1);
	CHECK_STR(s.kind ? s.kind : "", "null-deref");
	CHECK_STR(s.function ? s.function : "", "widget_flush");
	CHECK_U64(s.frames, 2);
	arena_release(&s.arena);
}

TEST(names_survive_rebuilds)
{
	static const char *const v[][2] = {
		{ "widget_flush.isra.0", "widget_flush" },
		{ "widget_flush.constprop.12", "widget_flush" },
		{ "widget_flush.cold", "widget_flush" },
		{ "widget_flush.llvm.1234567890", "widget_flush" },
		{ "__pfx_widget_flush", "widget_flush" },
		{ "widget_alloc_noprof", "widget_alloc" },
		{ "__x64_sys_ioctl", "sys_ioctl" },
		{ "__arm64_sys_ioctl", "sys_ioctl" },
		{ "__se_sys_ioctl", "sys_ioctl" },
		{ "SyS_ioctl", "sys_ioctl" },
		{ "__ia32_compat_sys_ioctl", "sys_ioctl" },
		{ ".widget_flush", "widget_flush" },
		{ "_ZN4core9panicking5panic17h0123456789abcdefE", "_ZN4core9panicking5panic" },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		CHECK_STR(function_plain(&a, v[i][0]), v[i][1]);
	/* as the source has them: allocators are written with a suffix since v6.10 */
	CHECK_STR(function_written(&a, "widget_alloc_noprof.isra.0"), "widget_alloc_noprof");
	CHECK_STR(function_written(&a, "__pfx_widget_flush"), "widget_flush");
	CHECK_STR(function_plain(&a, "_noprof"), "_noprof");
	arena_release(&a);
}

/* What is made of a report's facts, for the tests below. */
struct said {
	struct arena arena;
	const char *cycle[4];
	size_t n_cycle;
	const char *explained;
};

static bool on_said(struct report *r, void *arg)
{
	struct said *s = arg;
	struct buf b = { 0 };

	for (s->n_cycle = 0; s->n_cycle < r->n_cycle && s->n_cycle < 4; s->n_cycle++)
		s->cycle[s->n_cycle] = arena_strdup(&s->arena, r->cycle[s->n_cycle]);
	report_explain(r, &b);
	s->explained = arena_strdup(&s->arena, buf_text(&b));
	buf_release(&b);
	return false;
}

static struct said say_of(const char *name)
{
	struct said said = { .n_cycle = 0 };
	struct report_stream *s = report_stream_open("test", on_said, &said);
	struct file *text;
	struct err err;

	if (CHECK_OK(file_open(&said.arena, arena_printf(&said.arena, CAPTURES "%s.txt", name),
			       &text, &err),
		     err)) {
		report_stream_feed(s, text->map.p, text->map.n);
		file_close(text);
	}
	report_stream_close(s);
	return said;
}

/* The text's own scenario: CPU0 holds list_lock and takes mutex, CPU1 the other way round; the
 * traces under -> #0 and -> #1 say who. */
TEST(a_chain_of_locks_is_a_cycle_in_words)
{
	struct said s = say_of("lockdep-circular");

	CHECK_U64(s.n_cycle, 2);
	CHECK_STR(s.n_cycle ? s.cycle[0] : "",
		  "with &w->list_lock held, widget_lock_all takes &w->mutex");
	CHECK_STR(s.n_cycle > 1 ? s.cycle[1] : "",
		  "with &w->mutex held, widget_add took &w->list_lock");
	arena_release(&s.arena);
	s = say_of("lockdep-irq");
	CHECK_U64(s.n_cycle, 1);
	CHECK_STR(s.n_cycle ? s.cycle[0] : "",
		  "&w->lock was taken in soft interrupts, and widget_flush takes it with soft "
		  "interrupts on");
	arena_release(&s.arena);
}

/* The values stand in the texts; what they mean is from the architectures' manuals: DSISR 42000000
 * is ISSTORE and NOHPTE, ESTAT 20000 has Ecode 2, ExcCode 03 is TLBS, FSR 805 has WnR and status 5,
 * scause f is a store page fault, TEID's low bits 3 are the home space and 01 in 10-11 a store. */
TEST(fault_registers_are_decoded)
{
	static const char *const v[][2] = {
		{ "ppc64-null", "DSISR: 0x42000000: write, no translation found\n" },
		{ "loongarch-null", "ESTAT: 0x20000: page invalid on store\n" },
		{ "mips-null", "CAUSE: 0x80000c: TLB miss on store\n" },
		{ "arm-null", "FSR: 0x805: write, translation fault of a section\n" },
		{ "riscv-null", "CAUSE: 0xf: store page fault\n" },
		{ "s390-fault", "TEID: 0x3e000a1b403: store, home address space\n" },
		{ "x86-null", "ERROR CODE: 0x2: page not present, write from kernel mode\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct said s = say_of(v[i][0]);

		if (!CHECK(s.explained && strstr(s.explained, v[i][1])))
			printf("  in %s: %s\n", v[i][0], s.explained ? s.explained : "");
		arena_release(&s.arena);
	}
}

/* Others' programs hold such lines as strings; a wrapped lock and a cut trace are still reports. */
TEST(strings_are_no_reports_and_cut_ones_are)
{
	struct seen s = decode_str("  assert(find(\"[    7.1] WARNING: CPU: 0 PID: 1 at lib/x.c:3 "
				   "f+0x1/0x2\"));\n");

	CHECK(!s.kind);
	arena_release(&s.arena);
	s = decode_str("BUG: KASAN: slab-out-of-bounds in widget_set+0xc0b/0xf90\n"
		       "Read of size 4 at addr ffff88805f7b15a3 by task widgetd/1234\n");
	CHECK_STR(s.function ? s.function : "", "widget_set");
	arena_release(&s.arena);
	s = decode_str("Kernel panic - not syncing: Fatal exception\n"
		       "---[ end Kernel panic - not syncing: Fatal exception ]---\n");
	CHECK_STR(s.kind ? s.kind : "", "panic");
	arena_release(&s.arena);
}

/* Ways to write lines that are seldom: Android's vendors' columns, a quote of bars, times cut
 * short, a program counter without its offset. */
TEST(seldom_prefixes_are_known)
{
	static const char *const before[] = { "[   14.281902] c1   1042 ", "| [   T8658] ",
					      "[  240.] " };
	struct seen s;

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		char text[1024];

		snprintf(text, sizeof(text),
			 "%sUnable to handle kernel NULL pointer dereference at virtual address 0\n"
			 "%sCPU: 1 PID: 1042 Comm: server Tainted: G W 5.15.123 #1\n"
			 "%spc : widget_start+0x88/0x1a4 [widget]\n%sCall trace:\n"
			 "%s widget_start+0x88/0x1a4 [widget]\n",
			 before[i], before[i], before[i], before[i], before[i]);
		s = decode_str(text);
		CHECK_STR(s.kind ? s.kind : "", "null-deref");
		CHECK_STR(s.function ? s.function : "", "widget_start");
		arena_release(&s.arena);
	}
	s = decode_str(
		"Unable to handle kernel paging request at virtual address dfff800000000001\n"
		"CPU: 1 PID: 2622 Comm: mount Tainted: G W 5.17.0 #50\npc : widget_free\n");
	CHECK_STR(s.function ? s.function : "", "widget_free");
	arena_release(&s.arena);
}

#define TRACE_OF(line)                                                                    \
	"BUG: KASAN: wild-memory-access in widget_set+0x1/0x20\n"                         \
	"CPU: 1 PID: 7 Comm: a Not tainted 6.1.0 #1\nCall Trace:\n <TASK>\n"              \
	" widget_set+0x1/0x20\n" line " ksys_write+0x6b/0xf0\n do_syscall_64+0x5d/0x90\n" \
	" entry_SYSCALL_64_after_hwframe+0x6e/0xd8\n </TASK>\n"

/* Lines that lost or gained bytes, and a second process's, are told; what else stands between is
 * not. */
TEST(damage_within_a_trace_is_told)
{
	static const struct {
		const char *text, *damage;
	} v[] = {
		{ TRACE_OF(" widget_write+0x6b/0xa4 [widget]\n"), "" },
		{ TRACE_OF("usb 1-1: new high-speed USB device number 2\n"), "" },
		{ TRACE_OF("random: crng init done\n"), "" },
		{ TRACE_OF(" widget_write+0x\n"), "parts of lines are missing" },
		{ TRACE_OF(" widget_wr/0xa4 [widget]\n"), "parts of lines are missing" },
		{ TRACE_OF(" widget_write+0x6b0/0xa4\n"), "parts of lines are missing" },
		{ TRACE_OF(" widget_wri\x02\x7fte+0x6b/0xa4\n"), "bytes that no kernel prints" },
		{ TRACE_OF("CPU: 0 PID: 9 Comm: b Not tainted 6.1.0 #1\n"),
		  "another report is mixed in" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct seen s = decode_str(v[i].text);

		if (!CHECK(s.kind &&
			   (*v[i].damage ? strstr(s.damage, v[i].damage) != NULL : !s.damaged)))
			printf("  text %zu: %s\n", i, s.damage ? s.damage : "no report");
		arena_release(&s.arena);
	}
}

/* What a report says of its mixture; "" when it seems one. */
static const char *mixture_of(struct seen *seen, const char *text)
{
	*seen = decode_str(text);
	return seen->damage && strstr(seen->damage, "another report") ? seen->damage : "";
}

#define REGS_OF(a, b)                                                          \
	"RSP: 0018:ffffc90000d2f" a " EFLAGS: 00010246\nRAX: 00000000000000" b \
	" RBX: 0000000000000002 RCX: 0000000000000001\n"
#define WARNING_OF(f) "WARNING: CPU: 1 PID: 9 at a.c:1 " f "+0x1/0x20\nRIP: 0010:" f "+0x1/0x20\n"
#define TAIL_OF " do_syscall_64+0x3d/0x90\n entry_SYSCALL_64_after_hwframe+0x72/0xdc\n </TASK>\n"

/* Two CPUs print at once and nothing on the lines says which: what one report cannot have shows it.
 * The last four are of one each: a nested exception, an interrupt, threads that wait, old i386. */
TEST(woven_reports_are_told_by_shape)
{
	static const struct {
		bool mixed;
		const char *text;
	} v[] = {
		{ true, WARNING_OF("a") "RIP: 0010:b+0x1/0x20\n" REGS_OF("a00", "01") REGS_OF(
				"b00", "02") "Call Trace:\n <TASK>\n a+0x1/0x20\n" TAIL_OF },
		{ true, WARNING_OF("a") REGS_OF("a00", "01") "Call Trace:\nCall Trace:\n <TASK>\n"
							     " a+0x1/0x20\n" TAIL_OF },
		{ true, WARNING_OF("a") REGS_OF("a00", "01") "Call Trace:\n <TASK>\n <TASK>\n"
							     " a+0x1/0x20\n" TAIL_OF },
		{ true,
		  WARNING_OF("a") REGS_OF(
			  "a00",
			  "01") "Call Trace:\n <TASK>\n a+0x1/0x20\n"
				" kthread+0x10/0x20\n ret_from_fork+0x1/0x2\n b+0x3/0x9\n </TASK>\n" },
		{ true,
		  WARNING_OF(
			  "a") "Call Trace:\n <TASK>\n a+0x1/0x20\nRDX: ffff888105d60000"
			       " RSI: ffffffff8258b1c0\n b+0x1/0x20\nRBP: ffff888104a3b158 R08: 0000000000000001\n" TAIL_OF },
		{ true,
		  "BUG: KASAN: slab-out-of-bounds in a+0x1/0x20\nCall Trace:\n a+0x1/0x20\n"
		  " widget_read+0x1/0x20\n" WARNING_OF("b") "Call Trace:\n <TASK>\n" TAIL_OF },
		{ false,
		  WARNING_OF("a") REGS_OF(
			  "a00",
			  "01") "Call Trace:\n <IRQ>\n a+0x1/0x20\n </IRQ>\n"
				" <TASK>\n asm_common_interrupt+0x22/0x40\nRIP: 0010:c+0x1/0x20\n" REGS_OF(
					"c00", "03") "Code: 90 90 <90> 90\n c+0x1/0x20\n" TAIL_OF },
		{ false,
		  WARNING_OF("a") REGS_OF(
			  "a00",
			  "01") "Call Trace:\n <TASK>\n a+0x1/0x20\n"
				" do_syscall_64+0x3d/0x90\n entry_SYSCALL_64_after_hwframe+0x72/0xdc\n"
				"RIP: 0033:0x7f3c1be3a9a7\n" REGS_OF("f00", "04") " </TASK>\n" },
		{ false,
		  "INFO: task a:7 blocked for more than 120 seconds.\n"
		  "task:a state:D stack:0 pid:7 ppid:2\nCall Trace:\n <TASK>\n a_wait+0x1/0x20\n"
		  " kthread+0x1/0x2\n ret_from_fork+0x1/0x2\n ret_from_fork_asm+0x1/0x2\n </TASK>\n"
		  "INFO: task b:8 blocked for more than 120 seconds.\n" },
		{ false,
		  "BUG: unable to handle kernel paging request at f0000000\n"
		  "EIP: 0060:[<c1000010>] EFLAGS: 00010246 CPU: 1\nEIP is at a+0x10/0x20\n"
		  "EAX: 00000000 EBX: f4a3b000 ECX: 00000001 EDX: 00000000\nCall Trace:\n"
		  " [<c1000110>] b+0x10/0x20\nEIP: [<c1000010>] a+0x10/0x20 SS:ESP 0068:f4d2fe50\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct seen s;
		const char *why = mixture_of(&s, v[i].text);

		if (!CHECK(s.kind && (*why != '\0') == v[i].mixed))
			printf("  text %zu: '%s'\n", i, s.damage ? s.damage : "no report");
		arena_release(&s.arena);
	}
}

/* Of 32-bit ARM's panic: the trace of a CPU that stops is another's, and so is its process. */
TEST(cpus_that_stop_are_others)
{
	static const char stop[] =
		"CPU0: stopping\n"
		"CPU: 0 PID: 0 Comm: swapper/0 Tainted: G 6.1.0 #1\nHardware name: a board\n"
		" show_stack from do_handle_IPI+0x2d8/0x310\n do_handle_IPI from ipi_handler+0x20/0x28\n"
		"---[ end Kernel panic - not syncing: Oops ]---\n";
	struct seen s = { .n = 0 };
	struct buf b = { 0 };

	buf_printf(&b,
		   "Kernel panic - not syncing: Oops\n"
		   "CPU: 1 PID: 95 Comm: killer Tainted: G 6.1.0 #1\nHardware name: a board\n"
		   " dump_stack_lvl from panic+0x110/0x370\n panic from widget_die+0x10/0x90\n%s",
		   stop);
	s = decode_str(b.s);
	CHECK(!s.damaged);
	CHECK_STR(s.comm ? s.comm : "", "killer");
	arena_release(&s.arena);
	/* what died said so in a report of its own */
	buf_reset(&b);
	buf_printf(&b, "Kernel panic - not syncing: Oops\n%s", stop);
	s = decode_str(b.s);
	CHECK_STR(s.comm ? s.comm : "", "");
	CHECK_STR(s.release ? s.release : "", "6.1.0");
	arena_release(&s.arena);
	buf_release(&b);
}

/* Slab's findings of v6.12: an object's traces, then a warning with the one that counts. */
TEST(slab_reports_end_in_a_warning)
{
	struct seen s = decode_str(
		"BUG widgets (Tainted: G OE): Object corrupt\n"
		"-----------------------------------------------------------------------------\n"
		"Allocated in widget_new+0x72/0xb0 age=1 cpu=1 pid=184\n"
		" widget_new+0x72/0xb0\n widget_ioctl+0x2a3/0x2d0\n"
		"Object 00000000deb17b9a: 6b 6b 6b 6b 6b 6b 6b 6b 6b 6b 6b 6b 6b 6b 6b 6b  kkkk\n"
		"------------[ cut here ]------------\n"
		"WARNING: CPU: 1 PID: 184 at mm/slub.c:1127 object_err+0x1dc/0x2c0\n"
		"CPU: 1 UID: 0 PID: 184 Comm: sh Tainted: G 6.12.1 #1\n"
		"RIP: 0010:object_err+0x1dc/0x2c0\nCall Trace:\n <TASK>\n"
		" check_object+0x215/0x3d0\n free_to_partial_list+0x1dc/0x590\n"
		" kmem_cache_free+0x308/0x450\n widget_free+0x86/0xb0\n ksys_write+0x6f/0xf0\n"
		" entry_SYSCALL_64_after_hwframe+0x76/0x7e\n </TASK>\n"
		"---[ end trace 0000000000000000 ]---\n");

	CHECK_U64(s.n, 1);
	CHECK_STR(s.kind ? s.kind : "", "slab-corruption");
	CHECK_STR(s.function ? s.function : "", "widget_free");
	arena_release(&s.arena);
}

/* A text of n bytes: what is repeated, or pseudo-random bytes where that is NULL. */
static double seconds_of(const char *unit, size_t n)
{
	struct seen seen = { .n = 0 };
	struct report_stream *s = report_stream_open("test", on_first, &seen);
	clock_t start = clock();
	uint32_t seed = 1;
	char chunk[4096];

	for (size_t at = 0, k = 0; at < n; at += sizeof(chunk)) {
		for (size_t i = 0; i < sizeof(chunk); i++) {
			seed = seed * 1103515245 + 12345;
			chunk[i] = unit ? unit[k] : (char)(seed >> 16);
			k = unit && unit[k + 1] ? k + 1 : 0;
		}
		report_stream_feed(s, chunk, sizeof(chunk));
	}
	report_stream_close(s);
	arena_release(&seen.arena);
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Four times the text may take four times as long, and a tenth of a second for the machine's sake:
 * what is quadratic takes sixteen times. */
TEST(time_is_linear)
{
	static const char *const units[] = {
		"x",
		" widget+0x1/0x20\n",
		"BUG: KASAN: wild-memory-access in f+0x1/0x2\n",
		"------------[ cut here ]------------\n",
		"[    1.000000][    C1] CPU: 1 PID: 9 Comm: a Not tainted 6.1.0 #1\n",
		"WARNING: CPU: 1 PID: 9 at a.c:1 f+0x1/0x20\nRIP: 0010:f+0x1/0x20\nCall Trace:\n <TASK>\n"
		" f+0x1/0x20\n g+0x1/0x20 [m 0123456789abcdef0123456789abcdef01234567]\n </TASK>\n",
		"Oops#1 Part1\nBUG: soft lockup - CPU#1 stuck for 22s! [a:1]\n",
		"> > =3D=\n",
		"\033[",
		"-> #1 (a){+.+.}-{3:3}:\n",
		NULL,
	};
	const size_t small = 1 << 18;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		double one = seconds_of(units[i], small), four = seconds_of(units[i], 4 * small);

		if (!CHECK(four < 8 * one + 0.1))
			printf("  '%.20s': %.3f s, four times it %.3f s\n",
			       units[i] ? units[i] : "", one, four);
	}
}

/* A line of many megabytes, a frame a million times: bounded in memory, and quick. */
TEST(long_input_is_bounded)
{
	struct seen seen = { .n = 0 };
	struct report_stream *s = report_stream_open("test", on_first, &seen);
	char chunk[4096];

	memset(chunk, 'x', sizeof(chunk));
	for (int i = 0; i < 4096; i++)
		report_stream_feed(s, chunk, sizeof(chunk));
	report_stream_feed(s, "\nBUG: KASAN: wild-memory-access in f+0x1/0x2\nCall Trace:\n", 56);
	for (int i = 0; i < 200000; i++)
		report_stream_feed(s, " widget+0x1/0x20\n", 17);
	report_stream_close(s);
	CHECK_U64(seen.n, 1);
	CHECK(seen.damaged);
	CHECK(seen.frames <= REPORT_LINES_MAX);
	arena_release(&seen.arena);
}

TEST_MAIN
