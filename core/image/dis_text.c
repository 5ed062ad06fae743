/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capstone of a version that need not be the one whose headers obit was built with. Of its
 * structures only the head of struct cs_insn is read, which is where each version has it. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/image/dis_text.h"

#define OPEN_OK 0 /* CS_ERR_OK in all versions */
#define INSN_MAX 16
#define TRIED_AT UINT64_C(0xffffffff80123456)

/* Offsets in struct cs_insn: include/capstone/capstone.h of 5.0 and of 6.0, whose alias_id stands
 * in front of the address. */
struct insn_layout {
	unsigned major;
	unsigned address, size, bytes, mnemonic, operands;
};
static const struct insn_layout layouts[] = {
	{ 6, 16, 24, 26, 50, 82 },
	{ 5, 8, 16, 18, 42, 74 },
};

/* Its functions, as all versions declare them; an enum is an int. */
struct dis_text {
	const struct insn_layout *layout;
	size_t handle;
	uint8_t *insn;
	int (*open)(int arch, int mode, size_t *handle);
	int (*close)(size_t *handle);
	void *(*malloc)(size_t handle);
	void (*free)(void *insn, size_t count);
	bool (*disasm_iter)(size_t handle, const uint8_t **code, size_t *size, uint64_t *address,
			    void *insn);
};

static bool functions_find(void *lib, struct dis_text *d)
{
	*(void **)&d->open = dlsym(lib, "cs_open");
	*(void **)&d->close = dlsym(lib, "cs_close");
	*(void **)&d->malloc = dlsym(lib, "cs_malloc");
	*(void **)&d->free = dlsym(lib, "cs_free");
	*(void **)&d->disasm_iter = dlsym(lib, "cs_disasm_iter");
	return d->open && d->close && d->malloc && d->free && d->disasm_iter;
}

bool dis_text_one(struct dis_text *d, struct span code, uint64_t addr, struct dis_text_insn *ret)
{
	const struct insn_layout *l = d->layout;
	const uint8_t *p = code.p;
	size_t left = code.n < INSN_MAX ? code.n : INSN_MAX;
	uint64_t at = addr;
	uint16_t size;

	if (!d->disasm_iter(d->handle, &p, &left, &at, d->insn))
		return false;
	memcpy(&at, d->insn + l->address, sizeof(at));
	memcpy(&size, d->insn + l->size, sizeof(size));
	/* what was decoded must stand where the layout says */
	if (at != addr || !size || size > code.n || size > INSN_MAX ||
	    memcmp(d->insn + l->bytes, code.p, size) != 0)
		return false;
	ret->n = size;
	ret->mnemonic = (const char *)d->insn + l->mnemonic;
	ret->operands = (const char *)d->insn + l->operands;
	return true;
}

/* Is the architecture known, and the layout the one that is expected? *why: what is not. */
static bool library_try(struct dis_text *d, const struct arch *arch, const char **why)
{
	uint8_t nop[4];
	struct dis_text_insn in;

	*why = "does not know";
	if (d->open(arch->capstone->arch, arch->capstone->mode, &d->handle) != OPEN_OK)
		return false;
	*why = "has another layout, or decodes wrongly what is of";
	d->insn = d->malloc(d->handle);
	for (unsigned i = 0; i < sizeof(nop); i++)
		nop[i] = (uint8_t)(arch->capstone->nop >> 8 * i);
	if (d->insn && dis_text_one(d, SPAN(nop, sizeof(nop)), TRIED_AT, &in) &&
	    in.n == sizeof(nop) && strstr(in.mnemonic, "nop"))
		return true;
	if (d->insn)
		d->free(d->insn, 1);
	d->close(&d->handle);
	return false;
}

bool dis_text_open(struct arena *a, const struct arch *arch, struct dis_text **ret, struct err *err)
{
	char found[96] = "";

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct dis_text d = { .layout = &layouts[i] };
		const char *why;
		char name[32];
		void *lib;

		snprintf(name, sizeof(name), "libcapstone.so.%u", layouts[i].major);
		if (layouts[i].major < arch->capstone->since)
			break;
		/* it stays loaded: that costs some milliseconds */
		lib = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
		if (!lib || !functions_find(lib, &d))
			continue;
		if (library_try(&d, arch, &why)) {
			*ret = ARENA_NEW(a, struct dis_text);
			**ret = d;
			return true;
		}
		snprintf(found, sizeof(found), "%s %s it", name, why);
	}
	if (*found)
		return err_set(err, ERR_UNSUPPORTED, "%s cannot be disassembled: %s", arch->name,
			       found);
	return err_set(err, ERR_NEED,
		       "%s cannot be disassembled: libcapstone.so.%u or later is not installed "
		       "(Debian: libcapstone%u)",
		       arch->name, arch->capstone->since, arch->capstone->since);
}

void dis_text_close(struct dis_text *d)
{
	d->free(d->insn, 1);
	d->close(&d->handle);
}
