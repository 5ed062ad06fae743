/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capstone, loaded when something is disassembled: the pointers in its tables are 77,000
 * relocations, which was half of the time that obit took to start. These stand for its functions of
 * the same names. */
#include <dlfcn.h>

#include "core/image/capstone.h"

#define TEXT(x) #x
#define SONAME(major) "libcapstone.so." TEXT(major)
#define PACKAGE(major) "libcapstone" TEXT(major)

static struct {
	bool tried, ok;
	__typeof__(cs_open) *open;
	__typeof__(cs_option) *option;
	__typeof__(cs_close) *close;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_free) *free;
	__typeof__(cs_disasm_iter) *disasm_iter;
	__typeof__(cs_reg_name) *reg_name;
	__typeof__(cs_regs_access) *regs_access;
	__typeof__(cs_insn_group) *insn_group;
} real;

static void load(void)
{
	void *lib = dlopen(SONAME(CS_API_MAJOR), RTLD_LAZY | RTLD_LOCAL);

	if (!lib)
		return;
	real.ok = (real.open = dlsym(lib, "cs_open")) && (real.option = dlsym(lib, "cs_option")) &&
		  (real.close = dlsym(lib, "cs_close")) &&
		  (real.malloc = dlsym(lib, "cs_malloc")) && (real.free = dlsym(lib, "cs_free")) &&
		  (real.disasm_iter = dlsym(lib, "cs_disasm_iter")) &&
		  (real.reg_name = dlsym(lib, "cs_reg_name")) &&
		  (real.regs_access = dlsym(lib, "cs_regs_access")) &&
		  (real.insn_group = dlsym(lib, "cs_insn_group"));
}

bool capstone_load(struct err *err)
{
	if (!real.tried) {
		real.tried = true;
		load();
	}
	return real.ok ||
	       err_set(err, ERR_NEED,
		       "nothing can be disassembled: " SONAME(
			       CS_API_MAJOR) " is not installed (Debian: " PACKAGE(CS_API_MAJOR) ")");
}

cs_err CAPSTONE_API cs_open(cs_arch arch, cs_mode mode, csh *handle)
{
	return real.open(arch, mode, handle);
}

cs_err CAPSTONE_API cs_option(csh handle, cs_opt_type type, size_t value)
{
	return real.option(handle, type, value);
}

cs_err CAPSTONE_API cs_close(csh *handle)
{
	return real.close(handle);
}

cs_insn *CAPSTONE_API cs_malloc(csh handle)
{
	return real.malloc(handle);
}

void CAPSTONE_API cs_free(cs_insn *insn, size_t count)
{
	if (insn)
		real.free(insn, count);
}

bool CAPSTONE_API cs_disasm_iter(csh handle, const uint8_t **code, size_t *size, uint64_t *address,
				 cs_insn *insn)
{
	return real.disasm_iter(handle, code, size, address, insn);
}

const char *CAPSTONE_API cs_reg_name(csh handle, unsigned int reg)
{
	return real.reg_name(handle, reg);
}

cs_err CAPSTONE_API cs_regs_access(csh handle, const cs_insn *insn, cs_regs read,
				   uint8_t *read_count, cs_regs write, uint8_t *write_count)
{
	return real.regs_access(handle, insn, read, read_count, write, write_count);
}

bool CAPSTONE_API cs_insn_group(csh handle, const cs_insn *insn, unsigned int group)
{
	return real.insn_group(handle, insn, group);
}
