// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* Hash tables, and what is no container of structs: bits, numbers, per-CPU variables. */

#include <linux/bitmap.h>
#include <linux/hashtable.h>
#include <linux/kfifo.h>
#include <linux/kref.h>
#include <linux/percpu.h>
#include <linux/percpu_counter.h>
#include <linux/sbitmap.h>

#include "garden.h"

DEFINE_HASHTABLE(garden_hash, 4);
struct rhashtable garden_rhash;
struct rhltable garden_rhl;
struct rhashtable broken_rhash;
DEFINE_HASHTABLE(broken_hash, 2);

DEFINE_PER_CPU(u64, garden_percpu);
u64 __percpu *garden_percpu_dynamic;
int garden_array[8] = { 5, 4, 3, 2, 1, 0, -1, -2 };
struct plant *garden_pointers[4];
DECLARE_BITMAP(garden_bitmap, 200);
struct sbitmap garden_sbitmap, garden_sbitmap_words;
DECLARE_KFIFO(garden_kfifo, u32, 16);
struct percpu_counter garden_counter;
struct kref garden_kref;

static const struct rhashtable_params params = {
	.key_len = sizeof(u64),
	.key_offset = offsetof(struct plant, number),
	.head_offset = offsetof(struct plant, rhash),
};
static const struct rhashtable_params list_params = {
	.key_len = sizeof(u64),
	.key_offset = offsetof(struct plant, number),
	.head_offset = offsetof(struct plant, rhlist),
};

static void say_rhash(struct rhashtable *ht)
{
	struct rhashtable_iter iter;
	struct plant *p;

	rhashtable_walk_enter(ht, &iter);
	rhashtable_walk_start(&iter);
	while ((p = rhashtable_walk_next(&iter)) != NULL)
		if (!IS_ERR(p))
			garden_say_plant(p);
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
	garden_say("\n");
}

/* Many enough to make the table grow, which a worker of the kernel's does. */
static void plant_rhash(void)
{
	int i;

	if (rhashtable_init(&garden_rhash, &params) || rhltable_init(&garden_rhl, &list_params) ||
	    rhashtable_init(&broken_rhash, &params))
		return;
	for (i = 0; i < 120; i++)
		rhashtable_insert_fast(&garden_rhash, &plant_new(1000 + i)->rhash, params);
	flush_work(&garden_rhash.run_work);
	for (i = 0; i < 12; i++)
		rhltable_insert(&garden_rhl, &plant_new(1200 + i % 4)->rhlist, list_params);
	flush_work(&garden_rhl.ht.run_work);
	GARDEN_HEAD("rhashtable", "garden_rhash", &garden_rhash, rhash);
	say_rhash(&garden_rhash);
	GARDEN_HEAD("rhashtable", "garden_rhl", &garden_rhl, rhlist);
	say_rhash(&garden_rhl.ht);
}

static void break_hashes(void)
{
	struct bucket_table *table;
	struct plant *p;
	int i;

	for (i = 0; i < 20; i++) {
		rhashtable_insert_fast(&broken_rhash, &plant_new(1 + i)->rhash, params);
		hash_add(broken_hash, &plant_new(1 + i)->hash, i % 4);
	}
	flush_work(&broken_rhash.run_work);
	GARDEN_HEAD("broken-rhashtable", "broken_rhash", &broken_rhash, rhash);
	garden_say("\n");
	table = (void *)broken_rhash.tbl;
	for (i = 0; i < table->size; i++) {
		struct rhash_head *node = (void *)((unsigned long)table->buckets[i] & ~1ul);

		if (!node)
			continue;
		node->next = (void *)node;
		break;
	}
	garden_say("broken-hash broken_hash[4] %#lx plant.hash %zu =\n", (unsigned long)broken_hash,
		   offsetof(struct plant, hash));
	p = hlist_entry(broken_hash[1].first, struct plant, hash);
	p->hash.next = &p->hash;
}

void garden_plant_hashes(void)
{
	int i, bucket;
	struct plant *p;

	for (i = 0; i < 40; i++) {
		p = plant_new(700 + i);
		hash_add(garden_hash, &p->hash, p->number);
	}
	garden_say("hash garden_hash[16] %#lx plant.hash %zu =", (unsigned long)garden_hash,
		   offsetof(struct plant, hash));
	hash_for_each(garden_hash, bucket, p, hash) garden_say_plant(p);
	garden_say("\n");
	plant_rhash();
	break_hashes();
}

static bool say_bit(struct sbitmap *sb, unsigned int bit, void *data)
{
	garden_say(" %u", bit);
	return true;
}

static void plant_bits(void)
{
	static const unsigned int bits[] = { 0, 3, 31, 32, 63, 64, 65, 127, 130, 199 };
	int i;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		set_bit(bits[i], garden_bitmap);
	garden_say("bitmap garden_bitmap[200] %#lx - 0 =", (unsigned long)garden_bitmap);
	for_each_set_bit(i, garden_bitmap, 200) garden_say(" %d", i);
	garden_say("\n");
	if (sbitmap_init_node(&garden_sbitmap, 300, 4, GFP_KERNEL, NUMA_NO_NODE, false, true))
		return;
	for (i = 0; i < 300; i += 13)
		sbitmap_set_bit(&garden_sbitmap, i);
	/* freed, and not yet taken note of */
	sbitmap_deferred_clear_bit(&garden_sbitmap, 26);
	garden_say("sbitmap garden_sbitmap %#lx - 0 =", (unsigned long)&garden_sbitmap);
	sbitmap_for_each_set(&garden_sbitmap, say_bit, NULL);
	garden_say("\n");
	/* words as large as the machine's */
	if (sbitmap_init_node(&garden_sbitmap_words, 1000, -1, GFP_KERNEL, NUMA_NO_NODE, false,
			      true))
		return;
	for (i = 1; i < 1000; i = i * 5 / 4 + 1)
		sbitmap_set_bit(&garden_sbitmap_words, i);
	garden_say("sbitmap garden_sbitmap_words %#lx - 0 =", (unsigned long)&garden_sbitmap_words);
	sbitmap_for_each_set(&garden_sbitmap_words, say_bit, NULL);
	garden_say("\n");
}

void garden_plant_sets(void)
{
	int i, cpu;

	plant_bits();
	garden_percpu_dynamic = alloc_percpu(u64);
	for_each_possible_cpu(cpu)
	{
		*per_cpu_ptr(garden_percpu_dynamic, cpu) = 9000 + cpu;
		per_cpu(garden_percpu, cpu) = 8000 + cpu;
	}
	garden_say("percpu garden_percpu %#lx - 0 =", (unsigned long)&garden_percpu);
	for_each_possible_cpu(cpu) garden_say(" %d-%d:%#lx", cpu, cpu,
					      (unsigned long)per_cpu_ptr(&garden_percpu, cpu));
	garden_say("\npercpu garden_percpu_dynamic %#lx - 0 =",
		   (unsigned long)garden_percpu_dynamic);
	for_each_possible_cpu(cpu) garden_say(
		" %d-%d:%#lx", cpu, cpu, (unsigned long)per_cpu_ptr(garden_percpu_dynamic, cpu));
	garden_say("\narray garden_array[8] %#lx int 4 =", (unsigned long)garden_array);
	for (i = 0; i < 8; i++)
		garden_say(" %d", garden_array[i]);
	for (i = 0; i < 4; i++)
		garden_pointers[i] = plant_new(800 + i);
	garden_say("\npointers garden_pointers[4] %#lx plant 8 =", (unsigned long)garden_pointers);
	for (i = 0; i < 4; i++)
		garden_say_plant(garden_pointers[i]);
	INIT_KFIFO(garden_kfifo);
	garden_say("\nkfifo garden_kfifo %#lx u32 4 =", (unsigned long)&garden_kfifo);
	/* around the ring's end */
	for (i = 0; i < 20; i++) {
		u32 gone;

		if (i >= 10 && !kfifo_get(&garden_kfifo, &gone))
			break;
		kfifo_put(&garden_kfifo, 900 + i);
	}
	for (i = 10; i < 20; i++)
		garden_say(" %d", 900 + i);
	kref_init(&garden_kref);
	kref_get(&garden_kref);
	garden_say("\nkref garden_kref %#lx - 0 = 2\n", (unsigned long)&garden_kref);
	if (percpu_counter_init(&garden_counter, 1000, GFP_KERNEL))
		return;
	for (i = 0; i < 50; i++)
		percpu_counter_add(&garden_counter, i);
	garden_say("percpu_counter garden_counter %#lx - 0 = %lld\n",
		   (unsigned long)&garden_counter, percpu_counter_sum(&garden_counter));
}
