/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What run-dis has obit take for libcapstone.so.6, which no Debian has yet: every four bytes are a
 * nop. The structure is declared as include/capstone/capstone.h of version 6 declares it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cs_insn {
	unsigned int id;
#ifndef OLD_LAYOUT
	uint64_t alias_id;
#endif
	uint64_t address;
	uint16_t size;
	uint8_t bytes[24];
	char mnemonic[32];
	char op_str[160];
	bool is_alias, uses_alias_details;
	void *detail;
};

int cs_open(int arch, int mode, size_t *handle);
int cs_close(size_t *handle);
void *cs_malloc(size_t handle);
void cs_free(void *insn, size_t count);
bool cs_disasm_iter(size_t handle, const uint8_t **code, size_t *size, uint64_t *address,
		    void *insn);

int cs_open(int arch, int mode, size_t *handle)
{
	*handle = 1;
	return arch == 15 && mode == 6 ? 0 : 2;
}

int cs_close(size_t *handle)
{
	*handle = 0;
	return 0;
}

void *cs_malloc(size_t handle)
{
	(void)handle;
	return calloc(1, sizeof(struct cs_insn));
}

void cs_free(void *insn, size_t count)
{
	(void)count;
	free(insn);
}

bool cs_disasm_iter(size_t handle, const uint8_t **code, size_t *size, uint64_t *address,
		    void *insn)
{
	struct cs_insn *i = insn;

	(void)handle;
	if (*size < 4)
		return false;
	i->address = *address;
	i->size = 4;
	memcpy(i->bytes, *code, 4);
	strcpy(i->mnemonic, "nop");
	snprintf(i->op_str, sizeof(i->op_str), "six, 0x%llx", (unsigned long long)*address);
	*code += 4;
	*size -= 4;
	*address += 4;
	return true;
}
