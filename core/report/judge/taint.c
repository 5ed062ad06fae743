/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the letters of a kernel's taint mask mean. */
#include "core/report/judge/taint.h"

static const struct {
	char letter;
	const char *text;
} taints[TAINT_FLAGS] = {
	{ 'P', "a proprietary module was loaded" },
	{ 'F', "a module was loaded by force" },
	{ 'S', "the hardware is out of specification" },
	{ 'R', "a module was unloaded by force" },
	{ 'M', "a machine check happened" },
	{ 'B', "a bad page was met" },
	{ 'U', "user space asked for the taint" },
	{ 'D', "the kernel died before: an oops or a BUG" },
	{ 'A', "an ACPI table was overridden" },
	{ 'W', "a warning was issued" },
	{ 'C', "a staging driver was loaded" },
	{ 'I', "a firmware bug was worked around" },
	{ 'O', "a module from outside the kernel tree was loaded" },
	{ 'E', "an unsigned module was loaded" },
	{ 'L', "a soft lockup happened" },
	{ 'K', "the kernel was live-patched" },
	{ 'X', "auxiliary, defined by the distribution" },
	{ 'T', "built with struct layout randomization" },
	{ 'N', "an in-kernel test was run" },
	{ 'J', "user space changed the device's firmware state" },
};

bool taint_flag(unsigned bit, char *letter, const char **text)
{
	if (bit >= TAINT_FLAGS)
		return false;
	*letter = taints[bit].letter;
	*text = taints[bit].text;
	return true;
}

const char *taint_meaning(char letter)
{
	for (unsigned i = 0; i < TAINT_FLAGS; i++)
		if (taints[i].letter == letter)
			return taints[i].text;
	return (void *)0;
}
