/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing of the log: a target whose kernel memory is one small array, mapped at
 * FAKE_BASE. */
#ifndef OBIT_PRINTK_FAKE_H
#define OBIT_PRINTK_FAKE_H

#include <string.h>

#include "core/linux/linux.h"

#define FAKE_BASE 0x80000000u
#define FAKE_SIZE ((size_t)64 << 10)

/* What a 6.1 kernel's VMCOREINFO says of its ring, and a 32-bit kernel's; prb at FAKE_BASE. */
static const char fake_ring_64[] =
	"SYMBOL(prb)=80000000\n"
	"SIZE(printk_ringbuffer)=88\nOFFSET(printk_ringbuffer.desc_ring)=0\n"
	"OFFSET(printk_ringbuffer.text_data_ring)=48\nOFFSET(printk_ringbuffer.fail)=80\n"
	"SIZE(prb_desc_ring)=48\nOFFSET(prb_desc_ring.count_bits)=0\nOFFSET(prb_desc_ring.descs)=8\n"
	"OFFSET(prb_desc_ring.infos)=16\nOFFSET(prb_desc_ring.head_id)=24\n"
	"OFFSET(prb_desc_ring.tail_id)=32\nSIZE(prb_desc)=24\nOFFSET(prb_desc.state_var)=0\n"
	"OFFSET(prb_desc.text_blk_lpos)=8\nSIZE(prb_data_blk_lpos)=16\n"
	"OFFSET(prb_data_blk_lpos.begin)=0\nOFFSET(prb_data_blk_lpos.next)=8\nSIZE(printk_info)=88\n"
	"OFFSET(printk_info.seq)=0\nOFFSET(printk_info.ts_nsec)=8\nOFFSET(printk_info.text_len)=16\n"
	"OFFSET(printk_info.caller_id)=20\nOFFSET(printk_info.dev_info)=24\nSIZE(dev_printk_info)=64\n"
	"OFFSET(dev_printk_info.subsystem)=0\nOFFSET(dev_printk_info.device)=16\n"
	"SIZE(prb_data_ring)=32\nOFFSET(prb_data_ring.size_bits)=0\nOFFSET(prb_data_ring.data)=8\n"
	"OFFSET(prb_data_ring.head_lpos)=16\nOFFSET(prb_data_ring.tail_lpos)=24\n"
	"SIZE(atomic_long_t)=8\nOFFSET(atomic_long_t.counter)=0\n";
static const char fake_ring_32[] =
	"SYMBOL(prb)=80000000\n"
	"SIZE(printk_ringbuffer)=48\nOFFSET(printk_ringbuffer.desc_ring)=0\n"
	"OFFSET(printk_ringbuffer.text_data_ring)=24\n"
	"SIZE(prb_desc_ring)=24\nOFFSET(prb_desc_ring.count_bits)=0\nOFFSET(prb_desc_ring.descs)=4\n"
	"OFFSET(prb_desc_ring.infos)=8\nOFFSET(prb_desc_ring.head_id)=12\n"
	"OFFSET(prb_desc_ring.tail_id)=16\nSIZE(prb_desc)=12\nOFFSET(prb_desc.state_var)=0\n"
	"OFFSET(prb_desc.text_blk_lpos)=4\nSIZE(prb_data_blk_lpos)=8\n"
	"OFFSET(prb_data_blk_lpos.begin)=0\nOFFSET(prb_data_blk_lpos.next)=4\nSIZE(printk_info)=88\n"
	"OFFSET(printk_info.seq)=0\nOFFSET(printk_info.ts_nsec)=8\nOFFSET(printk_info.text_len)=16\n"
	"OFFSET(printk_info.caller_id)=20\nOFFSET(printk_info.dev_info)=24\nSIZE(dev_printk_info)=64\n"
	"OFFSET(dev_printk_info.subsystem)=0\nOFFSET(dev_printk_info.device)=16\n"
	"SIZE(prb_data_ring)=16\nOFFSET(prb_data_ring.size_bits)=0\nOFFSET(prb_data_ring.data)=4\n"
	"OFFSET(prb_data_ring.head_lpos)=8\nOFFSET(prb_data_ring.tail_lpos)=12\n"
	"SIZE(atomic_long_t)=4\nOFFSET(atomic_long_t.counter)=0\n";
/* A 5.4 kernel's record buffer: log_buf points to FAKE_BASE + 0x1000. */
static const char fake_records[] =
	"SYMBOL(log_buf)=80000000\nSYMBOL(log_buf_len)=80000008\nSYMBOL(log_first_idx)=8000000c\n"
	"SYMBOL(log_next_idx)=80000010\nSIZE(printk_log)=16\nOFFSET(printk_log.ts_nsec)=0\n"
	"OFFSET(printk_log.len)=8\nOFFSET(printk_log.text_len)=10\nOFFSET(printk_log.dict_len)=12\n";

struct fake {
	struct target t;
	struct arena scratch;
	struct arch arch;
	uint8_t mem[FAKE_SIZE];
	size_t n;       /* bytes of memory there are */
	uint32_t holes; /* a bit for each excluded page */
};

static bool fake_is_kernel_va(uint64_t va)
{
	return va >= FAKE_BASE;
}

static bool fake_mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	(void)facts;
	(void)ret;
	(void)err;
	return true;
}

static bool fake_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu;
	(void)err;
	ret->va = va & ~(uint64_t)0xfff;
	ret->pa = ret->va - FAKE_BASE;
	ret->size = 0x1000;
	return true;
}

static bool fake_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct fake *f = self;

	if (pa > f->n || n > f->n - pa)
		return err_set_addr(err, ERR_NOTRAM, pa, "no memory there");
	if (f->holes >> (pa / 0x1000 % 32) & 1)
		return err_set_addr(err, ERR_EXCLUDED, pa, "page excluded");
	memcpy(buf, f->mem + pa, n);
	return true;
}

static inline void fake_init(struct fake *f, unsigned word, const char *vmcoreinfo)
{
	memset(f, 0, sizeof(*f));
	f->n = FAKE_SIZE;
	target_init(&f->t, &f->scratch);
	f->arch.name = "fake";
	f->arch.word = word;
	f->arch.is_kernel_va = fake_is_kernel_va;
	f->arch.mmu_init = fake_mmu_init;
	f->arch.walk = fake_walk;
	f->t.arch = &f->arch;
	f->t.memory.phys.read = fake_read;
	f->t.memory.phys.self = f;
	f->t.vmcoreinfo.text = vmcoreinfo;
	f->t.vmcoreinfo.n = strlen(vmcoreinfo);
	f->t.vmcoreinfo.found = "note";
}

static inline void fake_release(struct fake *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

#endif
