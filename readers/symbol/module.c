/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules' files: given ones, those in folders, and which of them is the loaded module's. */
#include <string.h>
#include <zlib.h>

#include "readers/symbol/btf.h"
#include "readers/symbol/debuginfod.h"
#include "readers/symbol/elf.h"
#include "core/dwarf/dwarf.h"
#include "readers/symbol/module_image.h"
#include "readers/symbol/module_index.h"
#include "readers/reader.h"
#include "readers/symbol/vmlinux.h"

#define CANDIDATES_MAX 16
#define LOOKED_INTO 64 /* given files whose names are read in them */
/* Where made-up addresses begin: no kernel uses them. The kernel's memory map of x86-64 and that of
 * arm64 (Documentation/arch/) have a hole there; 32-bit modules lie below the kernel. */
#define INVENTED_64 UINT64_C(0xffffffff00000000)
#define INVENTED_32 UINT64_C(0xbe000000)

struct given {
	const char *name;
	struct file *file;
};

struct module_files {
	VEC(struct given) given;
	bool indexed;
	struct module_index index, system;
	bool system_indexed;
	uint64_t invented; /* the next free address */
	struct line_source lines;
};

static void state_free(void *what)
{
	struct module_files *st = what;

	vec_release(&st->given);
	module_index_release(&st->index);
	module_index_release(&st->system);
}

static struct module_files *state_of(struct target *t)
{
	if (!t->modules.reader_state) {
		t->modules.reader_state = ARENA_NEW(&t->arena, struct module_files);
		target_defer(t, state_free, t->modules.reader_state);
	}
	return t->modules.reader_state;
}

/* Of the dump's kernel, the text's, or the vmlinux's; NULL unknown. */
static const char *release_of(struct target *t)
{
	static const char start[] = "Linux version ";
	const char *s, *banner;
	size_t n;

	if (vmcoreinfo_str(t, "OSRELEASE", &s, &n))
		return arena_strndup(&t->arena, s, n);
	if (t->modules.release)
		return t->modules.release;
	banner = t->vmlinux.file ? vmlinux_banner(t) : NULL;
	if (!banner || strncmp(banner, start, sizeof(start) - 1) != 0)
		return NULL;
	banner += sizeof(start) - 1;
	return arena_strndup(&t->arena, banner, strcspn(banner, " "));
}

/* ---- what could be a module's file */

static void index_folders(struct target *t)
{
	struct module_files *st = state_of(t);
	struct err err;

	if (st->indexed)
		return;
	st->indexed = true;
	st->index.a = &t->arena;
	for (size_t i = 0; i < t->modules.folders.n; i++)
		if (!module_index_add(&st->index, t->modules.folders.p[i], release_of(t), &err))
			target_warn(t, err.code, "--modules: %s", err.msg);
	if (st->index.more)
		target_warn(t, ERR_LIMIT, "--modules: there are more files than are looked at");
}

/* Where distributions put debug packages; only files that prove to be the module's are taken. */
static void index_system(struct target *t)
{
	static const char *const roots[] = { "/usr/lib/debug/lib/modules",
					     "/usr/lib/debug/usr/lib/modules", "/lib/modules" };
	struct module_files *st = state_of(t);
	const char *release = release_of(t);
	struct err ignored;

	if (st->system_indexed)
		return;
	st->system_indexed = true;
	st->system.a = &t->arena;
	for (size_t i = 0; release && !strchr(release, '/') && i < ARRAY_SIZE(roots); i++)
		(void)!module_index_add(&st->system,
					arena_printf(&t->arena, "%s/%s", roots[i], release), NULL,
					&ignored);
}

/* ---- which of them it is */

struct module_choice {
	struct target *t;
	const struct loaded_module *m;
	bool exact_only; /* nothing but the same build-id will do */
	struct module_image best;
	bool has_best, verified;
	unsigned seen;
	struct err why; /* of the last that was refused */
};

enum verdict {
	IS_OTHER,
	IS_LIKELY,
	IS_SAME
};

static enum verdict judge(struct module_choice *c, const struct module_image *img, struct err *why)
{
	const struct loaded_module *m = c->m;
	const char *release = release_of(c->t);
	const struct modules *asked = &c->t->modules;
	const struct arch *arch = asked->release ? asked->arch : c->t->arch;
	struct arena *a = c->t->scratch;

	if (arch && img->arch != arch) {
		err_set(why, ERR_MISMATCH, "'%s' is of another architecture", img->path);
		return IS_OTHER;
	}
	if (m->build_id_n && img->build_id_n) {
		if (m->build_id_n == img->build_id_n &&
		    !memcmp(m->build_id, img->build_id, m->build_id_n))
			return IS_SAME;
		err_set(why, ERR_MISMATCH,
			"build-id of module '%s' is %s, of its file %s: '%.60s' is not that of "
			"this %s",
			m->name, build_id_text(a, m->build_id, m->build_id_n),
			build_id_text(a, img->build_id, img->build_id_n), img->path,
			mem_loaded(c->t) ? "dump" : "report");
		return IS_OTHER;
	}
	if (m->srcversion && img->srcversion) {
		if (!strcmp(m->srcversion, img->srcversion))
			return IS_SAME;
		err_set(why, ERR_MISMATCH,
			"srcversion of module '%s' is %.40s, of '%.80s' %.40s: it was made of other "
			"sources",
			m->name, m->srcversion, img->path, img->srcversion);
		return IS_OTHER;
	}
	if (release && img->release && strcmp(release, img->release) != 0) {
		err_set(why, ERR_MISMATCH, "'%.80s' is for kernel %.64s, and %s %.64s", img->path,
			img->release, asked->release ? "the text is of" : "this one is", release);
		return IS_OTHER;
	}
	return IS_LIKELY;
}

/* True: nothing better can come. */
static bool consider(struct module_choice *c, const struct file *file)
{
	struct module_image img;
	enum verdict v;
	struct err why;

	if (++c->seen > CANDIDATES_MAX)
		return true;
	if (!module_image_open(c->t, file, &img, &why)) {
		c->why = why;
		return why.code == ERR_INTR;
	}
	v = judge(c, &img, &why);
	if (v == IS_OTHER && c->t->force && !c->exact_only) {
		target_warn(c->t, why.code, "%s", why.msg);
		v = IS_LIKELY;
	} else if (v == IS_OTHER) {
		c->why = why;
	}
	if (v == IS_OTHER || (c->exact_only && v != IS_SAME) ||
	    (c->has_best &&
	     (c->verified > (v == IS_SAME) ||
	      (c->verified == (v == IS_SAME) && c->best.has_debug >= img.has_debug)))) {
		module_image_release(&img);
		return false;
	}
	if (c->has_best)
		module_image_release(&c->best);
	c->best = img;
	c->has_best = true;
	c->verified = v == IS_SAME;
	return img.has_debug && (v == IS_SAME || !c->m->build_id_n);
}

static bool consider_path(struct module_choice *c, const char *path)
{
	struct file *file;
	struct err err;
	bool done;

	if (!file_open(&c->t->arena, path, &file, &err)) {
		c->why = err;
		return false;
	}
	done = consider(c, file);
	file_close(file);
	return done;
}

static bool consider_index(struct module_choice *c, const struct module_index *x)
{
	const struct module_paths *paths = module_index_get(x, c->m->name);

	for (size_t i = 0; paths && i < paths->v.n; i++)
		if (consider_path(c, paths->v.p[i]))
			return true;
	return false;
}

/* DIR/.build-id/ab/cdef.debug, as distributions lay out debug info. */
static bool consider_id(struct module_choice *c, const char *folder)
{
	const char *id, *path;
	struct file *file;
	struct err ignored;
	bool done;

	if (!c->m->build_id_n)
		return false;
	id = build_id_text(c->t->scratch, c->m->build_id, c->m->build_id_n);
	path = arena_printf(&c->t->arena, "%s/.build-id/%.2s/%s.debug", folder, id, id + 2);
	if (!file_open(&c->t->arena, path, &file, &ignored))
		return false;
	done = consider(c, file);
	file_close(file);
	return done;
}

/* The debug info that was split off a file and that it names. */
static void consider_link(struct module_choice *c)
{
	const char *slash = strrchr(c->best.path, '/'), *link = c->best.link;
	size_t n = slash ? (size_t)(slash - c->best.path) : 1;
	const char *dir = arena_strndup(c->t->scratch, slash ? c->best.path : ".", n);
	uint32_t crc = c->best.link_crc;

	for (size_t i = 0; link && i < 3 && !c->best.has_debug; i++) {
		/* GDB's rules for .gnu_debuglink */
		const char *path =
			arena_printf(&c->t->arena, "%s%s%s/%s", i == 2 ? "/usr/lib/debug" : "", dir,
				     i == 1 ? "/.debug" : "", link);
		struct file *file;
		struct err ignored;

		if (!file_open(&c->t->arena, path, &file, &ignored))
			continue;
		if (crc32_z(0, file->map.p, file->map.n) == crc)
			consider(c, file);
		file_close(file);
	}
}

static void choose(struct module_choice *c, const char *path, const char *folder)
{
	struct target *t = c->t;
	struct module_files *st = state_of(t);
	struct module_index extra = { .a = t->scratch };
	struct err err = { 0 };

	if (path) {
		consider_path(c, path);
		return;
	}
	for (size_t i = 0; i < st->given.n; i++)
		if (!strcmp(st->given.p[i].name, c->m->name) && consider(c, st->given.p[i].file))
			return;
	if (folder) {
		bool found = false;

		if (!module_index_add(&extra, folder, release_of(t), &err))
			c->why = err;
		else
			found = consider_index(c, &extra) || consider_id(c, folder);
		module_index_release(&extra);
		if (found)
			return;
	}
	index_folders(t);
	if (consider_index(c, &st->index))
		return;
	for (size_t i = 0; i < t->modules.folders.n; i++)
		if (consider_id(c, t->modules.folders.p[i]))
			return;
	if (c->has_best && c->best.has_debug)
		return;
	if (!c->m->build_id_n)
		return;
	/* nobody named these: without the same build-id they are no evidence */
	c->exact_only = true;
	index_system(t);
	if (!consider_index(c, &st->system) && !consider_id(c, "/usr/lib/debug") && t->debuginfod &&
	    debuginfod_fetch(t, c->m->build_id, c->m->build_id_n, &path, &err))
		consider_path(c, path);
	else if (t->debuginfod && err.code)
		c->why = err;
}

/* ---- the capability */

struct opened {
	struct module_debug d;
	struct module_image img;
};

static void opened_free(void *what)
{
	struct opened *o = what;

	module_image_release(&o->img);
}

static void place(struct target *t, const struct loaded_module *m, struct opened *o)
{
	struct module_files *st = state_of(t);
	bool narrow = o->img.arch && o->img.arch->word == 4;

	if (mem_loaded(t)) {
		module_image_place(&o->img, m);
		return;
	}
	if (!st->invented)
		st->invented = narrow ? INVENTED_32 : INVENTED_64;
	o->d.invented = true;
	o->d.lo = st->invented;
	o->d.hi = module_image_invent(&o->img, st->invented);
	/* a gap, so that an address behind the end is in none */
	st->invented = ((o->d.hi + 0xfff) & ~UINT64_C(0xfff)) + 0x1000;
}

static bool open_module(struct target *t, const struct loaded_module *m, const char *path,
			const char *folder, struct module_debug **ret, struct err *err)
{
	struct module_choice c = { .t = t, .m = m };
	struct opened *o;

	if (mem_loaded(t) && !m->n_sections) {
		*err = m->why;
		return err_wrap(err, "module '%s'", m->name);
	}
	choose(&c, path, folder);
	if (c.has_best && !c.best.has_debug)
		consider_link(&c);
	if (!c.has_best && c.why.code) {
		*err = c.why;
		return false;
	}
	if (!c.has_best)
		return err_set(err, ERR_NEED,
			       "no debug info of module '%s': give its .ko, or --modules DIR",
			       m->name);
	o = ARENA_NEW(&t->arena, struct opened);
	o->img = c.best;
	o->d.name = arena_strdup(&t->arena, m->name);
	o->d.path = c.best.path;
	o->d.verified = c.verified;
	o->d.release = o->img.release;
	memcpy(o->d.build_id, o->img.build_id, sizeof(o->d.build_id));
	o->d.build_id_n = o->img.build_id_n;
	o->d.self = o;
	place(t, m, o);
	if (o->img.has_debug && !module_image_relocate(&o->img, err)) {
		module_image_release(&o->img);
		return false;
	}
	target_defer(t, opened_free, o); /* first: the DWARF is closed before it */
	if (o->img.has_debug) {
		o->d.dwarf = dwarf_of_module(t, o->d.name, o->d.path, o->img.elf);
		o->d.types = &o->d.dwarf->type_source;
		o->d.lines = &o->d.dwarf->line_source;
	}
	if (o->img.btf.n)
		o->d.btf = btf_of_module(t, o->d.name, o->img.btf, 0, 0);
	*ret = &o->d;
	return true;
}

static bool has_module(struct target *t, const char *name)
{
	struct module_files *st = state_of(t);

	for (size_t i = 0; i < st->given.n; i++)
		if (!strcmp(st->given.p[i].name, name))
			return true;
	index_folders(t);
	return module_index_get(&st->index, name) != NULL;
}

static bool symbols_of(struct target *t, const struct module_debug *d, struct symtab *tab,
		       struct err *err)
{
	const struct opened *o = d->self;

	return module_image_symbols(t, &o->img, d->name, tab, err);
}

static bool find_line(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		      struct err *err)
{
	const struct module_debug *d;

	if (!module_debug_at(s->t, addr, &d, err))
		return false;
	if (!d->lines)
		return err_set_addr(err, ERR_NEED, addr,
				    "'%s' has no debug info: give the module of the kernel's debug "
				    "package",
				    d->path);
	return d->lines->find(d->lines, addr, ret, n, err);
}

/* ---- the reader */

/* A packed file is looked into, not only at its name. */
static int module_probe(const struct file *file)
{
	const uint8_t *p = file->map.p;
	uint8_t head[ELF_HEAD];
	size_t n = file->map.n;
	struct elf e;

	if (unpack_name(file->map)) {
		n = unpack_head(file->map, head, sizeof(head));
		p = head;
	}
	return n >= ELF_HEAD && elf_header(p, &e) && e.type == ET_REL ? 60 : 0;
}

static bool open_file(struct target *t, struct file *file, struct err *err)
{
	struct given *g = vec_push(&state_of(t)->given);
	const char *name = module_of_path(&t->arena, file->path);
	struct module_image img;

	/* among many its name is enough until somebody asks */
	if (!name || state_of(t)->given.n <= LOOKED_INTO) {
		if (!module_image_open(t, file, &img, err))
			return false;
		name = img.name;
		module_image_release(&img);
	}
	g->name = name;
	g->file = file;
	for (size_t i = 0; i < t->modules.given.n; i++)
		if (!strcmp(t->modules.given.p[i], name))
			return true;
	*vec_push(&t->modules.given) = name;
	return true;
}

static bool module_attach(struct target *t, struct err *err)
{
	struct module_files *st = state_of(t);

	(void)err;
	t->modules.reader = (struct module_reader){ .open = open_module,
						    .has = has_module,
						    .symbols = symbols_of };
	st->lines = (struct line_source){ .find = find_line, .t = t };
	if (mem_loaded(t) || t->modules.given.n || t->modules.folders.n || t->debuginfod)
		lines_add(t, &st->lines);
	return true;
}

const struct reader reader_module = {
	.name = "module",
	.summary = "kernel modules, packed or not: their lines, types and symbols",
	.probe = module_probe,
	.open = open_file,
	.seeks = true,
	.attach = module_attach,
	.rank = 60,
};
