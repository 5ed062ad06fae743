/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the kernel log's decoders: the input is the memory that they lie in. */
#include "core/linux/log/printk_fake.h"
#include "core/linux/log/printk.h"
#include "core/linux/misc/system.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool fuzz_message(const struct log_message *m, void *arg)
{
	uint64_t *sum = arg;
	size_t i;

	/* touch every byte that is handed out, for the sanitizers */
	for (i = 0; i < m->n; i++)
		*sum += (uint8_t)m->text[i];
	for (i = 0; i < m->dict_n; i++)
		*sum += (uint8_t)m->dict[i];
	return true;
}

static void fuzz_note(const struct err *e, void *arg)
{
	uint64_t *sum = arg;

	*sum += strlen(e->msg);
}

/* Byte 0: which kernel; bytes 1 to 4: absent pages; then memory from FAKE_BASE on. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const kernels[] = { fake_ring_64, fake_ring_32, fake_records };
	struct last_words w;
	struct fake *f;
	uint64_t sum = 0;
	struct err err;
	unsigned kind;

	if (size < 5 || size - 5 > FAKE_SIZE)
		return 0;
	f = xrealloc(NULL, sizeof(*f));
	kind = data[0] % 3;
	fake_init(f, kind == 1 ? 4 : 8, kernels[kind]);
	f->holes = load_le32(data + 1);
	f->n = size - 5;
	memcpy(f->mem, data + 5, size - 5);
	if (!log_each(&f->t, fuzz_message, fuzz_note, &sum, &err))
		sum += strlen(err.msg);
	if (!last_words_read(&f->t, &w, &err))
		sum += strlen(err.msg);
	fake_release(f);
	free(f);
	(void)sum;
	return 0;
}
