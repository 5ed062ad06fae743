/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sys: what the machine was, and what killed it; crash's banner. */
#include <string.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/misc/system.h"
#include "core/records/device_record.h"
#include "core/records/syscall_record.h"
#include "commands/sys/system_record.h"

struct sys_opts {
	bool taint, calls, dmi, panic;
};
static const struct option opts[] = {
	{ "t", NULL, OPTION_FLAG, offsetof(struct sys_opts, taint),
	  "only why the kernel is tainted" },
	{ "c", NULL, OPTION_FLAG, offsetof(struct sys_opts, calls),
	  "the table of system calls, or those of a number or a part of the name" },
	{ "i", NULL, OPTION_FLAG, offsetof(struct sys_opts, dmi),
	  "what the firmware said of the machine (DMI)" },
	OPT_FLAG("panic", struct sys_opts, panic, "refused: no machine is ever changed"),
};

static bool sys_run(struct ctx *c, struct err *err)
{
	const struct sys_opts *o = c->opts;
	bool config = c->argc == 1 && !strcmp(c->argv[0], "config");
	struct system s;

	if (o->panic)
		return err_set(err, ERR_UNSUPPORTED,
			       "obit looks at dead kernels and changes nothing: no machine is "
			       "made to panic");
	if (o->taint + o->calls + o->dmi > 1)
		return err_set(err, ERR_USAGE, "-t, -c and -i exclude each other");
	if (config && !o->calls && !o->taint && !o->dmi)
		return emit_kernel_config(c, err);
	if (c->argc && !o->calls)
		return err_set(err, ERR_USAGE, "it takes no operands but 'config', or with -c");
	if (o->calls)
		return emit_walked(c, emit_syscall_table(c, err), err);
	if (o->dmi)
		return emit_walked(c, emit_system_dmi(c, err), err);
	system_read(c->t, &s);
	if (o->taint)
		return emit_system_taint(c, &s, err);
	emit_system(c, &s);
	return true;
}

static const struct record_kind *const emits[] = { &system_kind,        &system_taint_kind,
						   &syscall_entry_kind, &dmi_kind,
						   &config_kind,        NULL };
static const struct example examples[] = {
	{ "sys", "the machine, its state and the panic message" },
	{ "sys -c openat", "which functions serve a system call" },
	{ "sys -i", "vendor, product and firmware of the machine" },
	{ "sys config", "how the kernel was configured, if it kept that" },
	{ "sys -t", "why the kernel is tainted" },
};
const struct command cmd_sys = {
	.name = "sys",
	.group = "system",
	.summary = "the machine and what killed it",
	.needs = NEED_DUMP,
	.operands = "[config | number | system call]...",
	OPTS(opts),
	.opts_size = sizeof(struct sys_opts),
	.emits = emits,
	.help = "Shows what the dump tells of the machine: names, time, load, memory, and the panic. Each fact "
		"stands on its own: what cannot be known says why, and the rest is shown. Without a vmlinux, "
		"VMCOREINFO, the dump's header, the log, and the symbols and types inside the dump answer.\n\n"
		"CPUS counts the CPUs present; a panic takes all but one offline before the dump is written. "
		"MEMORY is what the kernel managed, MemTotal of /proc/meminfo, of all that is System RAM in /proc/iomem. "
		"UPTIME and DATE are exact to the last clock tick, or better where the log or VMCOREINFO is "
		"younger. The oops, lockup or stall stands below the panic message when that only says that one "
		"happened.\n\n"
		"-c shows the function of each system call, its arguments where the kernel knows them for its "
		"trace events, and its source line where debug information is loaded. An entry that leads into a "
		"module says so.\n\n"
		"config shows the configuration that a kernel with CONFIG_IKCONFIG keeps, be it built in or the module configs.",
	EXAMPLES(examples),
	.run = sys_run,
};
