# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the kernel's names in obit's C, and judges which of them a kernel lacks.

    drift.py names FOLDER|FILE...                 what is named, one a line
    drift.py questions NAMES                      the same as lines for obit to be asked
    drift.py judge NAMES KERNEL GAPS ANSWERS      what KERNEL lacks and GAPS does not list, or lists in vain

A line of names is KIND, IN, NAME and PLACE with tabs between them. KIND is "member" (of the type IN, NAME a path),
"number" (a member that may be no struct), "value" (of the enumeration IN), "type" or "symbol"; IN and NAME are alternatives with "|" between them, of which a
kernel needs one. What is found: shapes (FIELD and its kin), rows of tables where the name of a type stands before
those of its members, and arguments of the calls in SINKS, whether they stand there, in a constant or an array, or
were handed over by a caller. What is put together of pieces while obit runs is not found.
"""
import json
import os
import re
import sys

TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?!\s*define\b)(?:\\\n|[^\n])*)
    |(?P<define>^[ \t]*\#[ \t]*define\b(?:\\\n|[^\n])*)
    |(?P<text>"(?:\\.|[^"\\\n])*")
    |(?P<word>\b\w+\b)
    |(?P<sign>->|&&|\|\||[^\s\w])""",
    re.S | re.M | re.X)
KINDS = ("struct ", "union ", "enum ")
# What asks for a name: its kind, and which arguments are the type and the name. Where an argument is None the call has
# none; "=N" says that the call binds the variable of argument N to the type.
SINKS = {
    "type_find": ("type", None, 1), "type_member": ("member", 0, 1), "value_member": ("member", 1, 2),
    "field_u64": ("number", 1, 3), "field_u64_or": ("number", 1, 3), "field_offset": ("member", 1, 2),
    "enum_value": ("value", 1, 2),
    "symbol_addr": ("symbol", None, 1), "symbol_find": ("symbol", None, 1),
    "symbol_each_named": ("symbol", None, 1),
}
WORD = r"[A-Za-z_]\w*"
PATH = WORD + r"(?:\.%s|\[\d+\])*" % WORD
PATHS = re.compile(r"%s(?:\|%s)*" % (PATH, PATH))
NAME = {"type": re.compile(".*"), "symbol": re.compile(WORD), "value": re.compile("[A-Z_]{2,}[a-z]*"),
        "member": PATHS, "number": PATHS}
NUMBERS = {"shaped_u64", "shaped_u64_or", "shaped_s64"}
TYPE = re.compile(r"((struct|union|enum) \w+|\w+_t)(\|(struct|union|enum) \w+)*")
FIELDS = {"FIELD", "FIELD_ALT", "FIELD_MAYBE"}
# Their names are people's, files' or of the table of variables, which says of what type one is, if it is there.
ASKED_BY_OTHERS = ("core/types/expr", "core/shell/", "core/records/", "commands/types/", "core/image/variable.c",
                   "commands/bpf/bpf_record.c")
DEPTH = 6  # of names handed from caller to caller


class Token:
    def __init__(self, text, line):
        self.text, self.line = text, line

    def literal(self):
        return self.text[1:-1] if self.text[0] == '"' else None


def tokens_of(source):
    """The code's tokens: macros that stand for a text as that text, neighbouring texts as one."""
    found, macros = [], {}
    for m in TOKEN.finditer(source):
        line, text = source.count("\n", 0, m.start()) + 1, m.group()
        if m.lastgroup == "define":
            made = re.match(r'\s*#\s*define\s+(\w+)\s+("[^"]*")\s*$', text)
            if made:
                macros[made.group(1)] = made.group(2)
        elif m.lastgroup != "skip":
            text = macros.get(text, text)
            if text[0] == '"' and found and found[-1].text[0] == '"':
                found[-1] = Token(found[-1].text[:-1] + text[1:], found[-1].line)
            else:
                found.append(Token(text, line))
    return found


def closing(tokens, i):
    """The index of what closes the bracket at i."""
    depth = 0
    while i < len(tokens):
        if tokens[i].text in "([{":
            depth += 1
        elif tokens[i].text in ")]}":
            depth -= 1
            if not depth:
                return i
        i += 1
    return len(tokens) - 1


def parted(tokens):
    """The parts between the commas that stand in no bracket."""
    parts, depth = [[]], 0
    for t in tokens:
        if t.text in "([{":
            depth += 1
        elif t.text in ")]}":
            depth -= 1
        if t.text == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(t)
    return [p for p in parts if p]


class Table(list):
    """What stands in the braces of an array of structs, and the names of their fields."""


def fields_of(tokens, i, layouts):
    """The fields of the struct whose array is named at i; its layout stands before the name, or elsewhere."""
    if i > 1 and tokens[i - 1].text == "}":
        start = i - 1
        while start > 0 and tokens[start].text != "{":
            start -= 1
        return layout_of(tokens[start + 1:i - 1])
    return layouts.get(tokens[i - 1].text, []) if i > 1 and tokens[i - 2].text == "struct" else []


def layout_of(tokens):
    return [t.text for i, t in enumerate(tokens)
            if i + 1 < len(tokens) and tokens[i + 1].text in ",;[)" and re.match("[A-Za-z_]", t.text)]


class Function:
    def __init__(self, file, name, params, body):
        self.file, self.name, self.params, self.body = file, name, params, body
        self.bound = {}   # variable -> lists of tokens that it may be
        self.calls = []   # (name, arguments, line)


def read_bindings(tokens, bound, layouts):
    """What variables are set to: "x = ...", and arrays with what stands in their braces."""
    for i, t in enumerate(tokens[:-1]):
        if t.text != "=" or tokens[i + 1].text == "=" or not i or tokens[i - 1].text in "=!<>+-*/|&^%":
            continue
        j = i - 1
        while j > 0 and tokens[j].text == "]":
            while j > 0 and tokens[j].text != "[":
                j -= 1
            j -= 1
        if j > 0 and tokens[j - 1].text in ("->", "."):
            continue
        if tokens[i + 1].text == "{":
            value = Table(tokens[i + 2:closing(tokens, i + 1)])
            value.fields = fields_of(tokens, j, layouts)
        else:
            end, depth = i + 1, 0
            while end < len(tokens) and (depth or tokens[end].text not in ";,)"):
                depth += (tokens[end].text in "([{") - (tokens[end].text in ")]}")
                end += 1
            value = tokens[i + 1:end]
        bound.setdefault(tokens[j].text, []).append(value)


class File:
    def __init__(self, path, source):
        self.path = path
        self.tokens = tokens_of(source)
        self.bound = {}
        self.functions = []
        self.numbers = []  # fields of shapes that are read as numbers
        self.layouts = {self.tokens[i + 1].text: layout_of(self.tokens[i + 3:closing(self.tokens, i + 2)])
                        for i, t in enumerate(self.tokens[:-2]) if t.text == "struct" and self.tokens[i + 2].text == "{"}
        self.outside = []  # tokens that stand in no function
        self.read_functions()
        read_bindings(self.outside, self.bound, self.layouts)

    def read_functions(self):
        ts, i = self.tokens, 0
        while i < len(ts):
            if ts[i].text == "{":
                end = closing(ts, i)
                if i and ts[i - 1].text == ")":
                    self.read_function(i, end)
                else:
                    self.outside += ts[i:end + 1]
                i = end
            else:
                self.outside.append(ts[i])
            i += 1

    def read_function(self, brace, end):
        ts, depth, i = self.tokens, 0, brace - 1
        while i > 0:
            depth += (ts[i].text == ")") - (ts[i].text == "(")
            if not depth:
                break
            i -= 1
        params = [[t.text for t in p if re.match(r"\w", t.text)][-1:] for p in parted(ts[i + 1:brace - 1])]
        f = Function(self, ts[i - 1].text, [p[0] if p else "" for p in params], ts[brace + 1:end])
        read_bindings(f.body, f.bound, self.layouts)
        for k in range(len(f.body) - 1):
            if f.body[k + 1].text == "(" and re.match(r"[A-Za-z_]", f.body[k].text):
                inside = f.body[k + 2:closing(f.body, k + 1)]
                f.calls.append((f.body[k].text, parted(inside), f.body[k].line))
        # "type_find(t, NAME, &x, err)" says what x is
        for name, args, line in f.calls:
            if name in NUMBERS and len(args) > 1:
                self.numbers.append((args[1][-1].text, line))
            if name == "type_find" and len(args) > 2:
                f.bound.setdefault(args[2][-1].text, []).append(args[1])
        self.functions.append(f)


class Names:
    """All names that some files name."""

    def __init__(self, files):
        self.files = files
        self.found = {}
        self.functions = {}
        for f in files:
            for fn in f.functions:
                self.functions.setdefault(fn.name, []).append(fn)
        for f in files:
            self.read_tables(f)
        self.sinks = {}  # (file or None, name) -> {(kind, type, name)}, each an argument's number or alternatives
        for name, (kind, of, what) in SINKS.items():
            self.sinks[None, name] = {(kind, of, what)}
        for _ in range(DEPTH):
            if not self.read_calls():
                break

    def add(self, kind, of, name, file, line):
        if not NAME[kind].fullmatch(name) or kind != "symbol" and not TYPE.fullmatch(of or name):
            return
        if of:
            self.found.setdefault(("type", "", of), "%s:%d" % (file.path, line))
        self.found.setdefault((kind, of, name), "%s:%d" % (file.path, line))

    # Shapes, and rows of tables.

    def read_tables(self, f):
        everything = f.tokens
        fields = {}
        for i, t in enumerate(everything):
            if t.text == "shape_field" and everything[i + 2].text == "[":
                j = i
                while everything[j].text != "{":
                    j += 1
                fields[everything[i + 1].text] = everything[j:closing(everything, j)]
            if t.text == "SHAPE" and everything[i + 1].text == "(":
                of, table = parted(everything[i + 2:closing(everything, i + 1)])
                of = "|".join(self.texts(of, f, None))
                self.add("type", "", of, f, t.line)
                self.read_fields(f, of, fields.get(table[0].text, []))
            if t.text == "{":
                row = parted(everything[i + 1:closing(everything, i)])
                self.read_row(f, [p[0] for p in row if len(p) == 1 and p[0].literal() is not None])

    def read_fields(self, f, of, table):
        for i, t in enumerate(table):
            if t.text in FIELDS:
                alternatives = [p[0].literal() or "|".join(self.texts(p, f, None))
                                for p in parted(table[i + 2:closing(table, i + 1)])]
                self.add("member", of, "|".join(alternatives), f, t.line)
                for field, line in f.numbers:
                    if i > 2 and field == table[i - 3].text:
                        self.add("number", of, "|".join(alternatives), f, line)

    def read_row(self, f, texts):
        of = None
        for t in texts:
            s = t.literal()
            if s.startswith(KINDS):
                of = s.rstrip(" *")
                self.add("type", "", of, f, t.line)
            elif of:
                self.add("member", of, s, f, t.line)

    # Arguments of calls.

    def texts(self, expr, file, fn, depth=0):
        """The texts that an expression may be; a function's results are alternatives, with "|" between them."""
        if depth > DEPTH:
            return []
        direct, skip = [], 0
        for i, t in enumerate(expr):
            if i < skip:
                continue
            if t.literal() is not None:
                direct.append(t.literal())
            elif not re.match(r"[A-Za-z_]", t.text) or (i and expr[i - 1].text in ("->", ".")):
                continue
            elif self.field_of(expr, i):
                field = self.field_of(expr, i)
                bound = (fn.bound.get(t.text) if fn else None) or file.bound.get(t.text, [])
                if fn and t.text in fn.params:  # a pointer to a row
                    bound = [v for vs in file.bound.values() for v in vs if field in getattr(v, "fields", [])]
                for value in bound:
                    direct += self.column(value, field, file, fn, depth + 1)
            elif i + 1 < len(expr) and expr[i + 1].text == "(" and t.text.startswith("str"):
                skip = closing(expr, i + 1)  # strcmp() and its kin only compare
            elif i + 1 < len(expr) and expr[i + 1].text == "(":
                made = self.returned(t.text, file, depth)
                if made:
                    direct.append("|".join(made))
                    skip = closing(expr, i + 1)
            else:
                bound = (fn.bound.get(t.text) if fn else None) or file.bound.get(t.text, [])
                at = None
                if bound and i + 1 < len(expr) and expr[i + 1].text == "[":
                    skip = closing(expr, i + 1)
                    if skip + 2 < len(expr) and expr[skip + 1].text == "[" and expr[skip + 2].text.isdigit():
                        at, skip = int(expr[skip + 2].text), skip + 3
                for value in bound:
                    if at is not None:
                        value = [v for row in parted(value) for v in parted(row[1:-1])[at]]
                    if len(value) == 1 and value[0].text == t.text:
                        continue
                    direct += self.texts(value, file, fn, depth + 1)
        return list(dict.fromkeys(direct))

    @staticmethod
    def field_of(expr, i):
        """The field that is taken of the variable at i, of an element of it if it is an array, or None."""
        i += 1
        if i < len(expr) and expr[i].text == "[":
            i = closing(expr, i) + 1
        return expr[i + 1].text if i + 1 < len(expr) and expr[i].text in ("->", ".") else None

    def column(self, value, field, file, fn, depth):
        """The texts of one field in the rows of a table, or of the table's that a pointer points into."""
        found = []
        fields = getattr(value, "fields", None)
        if fields is None:
            if field == "type" and value and value[0].text == "SHAPE":
                return [value[2].literal()]
            for t in value if depth < DEPTH else []:
                for to in (fn.bound.get(t.text) if fn else None) or file.bound.get(t.text, []):
                    found += self.column(to, field, file, fn, depth + 1)
            return found
        for i, t in enumerate(value):
            if t.text == "{" and field in fields:
                row = parted(value[i + 1:closing(value, i)])
                at = fields.index(field)
                if at < len(row) and len(row[at]) == 1 and row[at][0].literal():
                    found.append(row[at][0].literal())
        return found

    def returned(self, name, file, depth):
        made = []
        for fn in self.functions.get(name, []):
            body = fn.body
            for i, t in enumerate(body):
                if t.text == "return":
                    end = i
                    while end < len(body) and body[end].text != ";":
                        end += 1
                    if any(x.literal() is not None for x in body[i:end]):
                        made += [x.literal() for x in body[i:end] if x.literal() is not None and
                                 x.literal().startswith(KINDS)]
        return [m for i, m in enumerate(made) if m not in made[:i]]

    def read_calls(self):
        grown = False
        for f in self.files:
            for fn in f.functions:
                for name, args, line in fn.calls:
                    for sink in list(self.sinks.get((f.path, name), self.sinks.get((None, name), ()))):
                        grown |= self.read_call(f, fn, args, line, sink)
        return grown

    def argument(self, f, fn, args, which):
        """What an argument may be: a list of texts, or of numbers of fn's own parameters."""
        if which is None or isinstance(which, str):
            return [which]
        if which >= len(args):
            return []
        texts = self.texts(args[which], f, fn)
        if texts:
            return texts
        words = [t.text for i, t in enumerate(args[which])
                 if t.text in fn.params and not (i + 1 < len(args[which]) and args[which][i + 1].text in ("->", "."))]
        for word in list(words):
            if fn.bound.get(word):
                words.remove(word)
        for i, t in enumerate(args[which]):  # a variable that is set to what a parameter says
            for value in fn.bound.get(t.text, []) if not (i and args[which][i - 1].text in ("->", ".")) else []:
                words += [v.text for v in value if v.text in fn.params]
        return [fn.params.index(w) for w in words[:1]]

    def read_call(self, f, fn, args, line, sink):
        kind, of, what = sink
        grown = False
        if isinstance(of, int) and isinstance(what, int) and max(of, what) < len(args):
            row = [[t.text for i, t in enumerate(args[a]) if self.field_of(args[a], i)][:1] for a in (of, what)]
            if row[0] and row[0] == row[1]:
                return False  # two fields of one row
        ofs, whats = self.argument(f, fn, args, of), self.argument(f, fn, args, what)
        if of is not None:
            ofs = [o for o in ofs if not isinstance(o, str) or "|" in o or o.startswith(KINDS) or "_t" in o]
        if kind == "value" and all(isinstance(o, str) for o in ofs):
            ofs = ["|".join(ofs)]  # a caller knows which
        for o in ofs:
            for w in whats:
                if isinstance(o, int) or isinstance(w, int):
                    known = self.sinks.setdefault((self.scope(fn), fn.name), set())
                    if (kind, o, w) not in known:
                        known.add((kind, o, w))
                        grown = True
                elif w:
                    self.add(kind, (o or "").rstrip(" *"), w, f, line)
        if not ofs and of is not None:
            for w in whats:
                if isinstance(w, str):
                    self.found.setdefault(("unknown", "", w), "%s:%d" % (f.path, line))
        return grown

    def scope(self, fn):
        """Static functions of one name stand in several files: each is its file's own."""
        return fn.file.path if len(self.functions[fn.name]) > 1 else None


def sources(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if re.search(r"(?<!_test)(?<!_fuzz)\.c$", name):
                    yield os.path.join(folder, name)


def print_names(paths):
    files = []
    for path in sources(paths):
        if not path.startswith(ASKED_BY_OTHERS):
            with open(path) as f:
                files.append(File(path, f.read()))
    names = Names(files)
    for (kind, of, name), place in sorted(names.found.items()):
        print("\t".join((kind, of, name, place)))


class Name:
    """A line of names."""

    def __init__(self, line):
        self.kind, self.of, self.name, self.place = line.rstrip("\n").split("\t")

    def title(self):
        return ("?." if self.kind == "unknown" else self.of and self.of + ".") + self.name

    def questions(self):
        """What obit is asked, of which one must have an answer."""
        for name in self.name.split("|"):
            for of in self.of.split("|"):
                yield {"type": "p sizeof(%s)" % name, "symbol": "sym " + name, "value": "p (%s)%s" % (of, name),
                       "member": "%s.%s" % (of, name) if " " in of else "p offsetof(%s, %s)" % (of, name),
                       "unknown": ""}["member" if self.kind == "number" else self.kind]

    def missed(self, lacking, structs):
        """Whether the kernel lacks it; of a number the first that it has must be one."""
        for question in self.questions():
            if question and question not in lacking:
                return self.kind == "number" and question in structs
        return True


def read_names(path):
    with open(path) as f:
        return [Name(line) for line in f]


def print_questions(path):
    for question in dict.fromkeys(q for name in read_names(path) for q in name.questions() if q):
        print(question)


class Gaps:
    """The list of known gaps. A line is a reason; those below it that are indented say which gaps it has, as
    "KERNEL...: NAME, NAME", where a kernel is "7.2", "7.2/arm64", "*/armhf" or "*"; with a "?" behind it
    only some of these kernels lack the names, such as those of one option. A kernel of another flavour than the
    plain one, such as "6.1-rt/amd64", may have what that lacks; what it lacks itself is of "6.1-rt" or "*-rt"."""

    def __init__(self, path):
        self.of = {}  # title -> kernels
        why = ""
        with open(path) as f:
            for number, line in enumerate(f, 1):
                if not line.strip() or line[0] == "#":
                    continue
                if not line[0].isspace():
                    why = line.strip()
                    continue
                kernels, colon, titles = line.partition(":")
                if not why or not colon or not all(re.fullmatch(r"(\*|[\d.]+)(-\w+)?(/\w+)?\??", k) for k in kernels.split()):
                    sys.exit("%s:%d: not a gap, or one for no reason" % (path, number))
                for title in titles.split(","):
                    self.of.setdefault(title.strip(), []).extend(kernels.split())

    def lists(self, title, kernel, unsure=True):
        version, arch = kernel.split("/")
        plain, dash, flavour = version.partition("-")
        own = (version, "*" + dash + flavour)
        return any(k.rstrip("?").split("/")[0] in (own + ("*", plain) if unsure else own) and
                   ("/" not in k or k.rstrip("?").split("/")[1] == arch) and (unsure or k[-1] != "?")
                   for k in self.of.get(title, []))


def read_answers(path):
    """The questions that the kernel has no answer to, and the members that are no numbers."""
    lacking, structs, asked = set(), set(), 0
    with open(path) as f:
        for line in f:
            record = json.loads(line)
            asked += 1
            if record["record"] == "member" and re.match(r"(struct|union) [^*]*$|.*\]$", record["type"] or ""):
                structs.add("%s.%s" % (record["of"], record["name"]))
            if record["record"] == "error":
                if record["reason"] not in ("no-member", "no-type", "no-symbol", "not-found"):
                    sys.exit("'%s': %s" % (record["line"], record["text"]))
                lacking.add(record["line"])
    if asked <= len(lacking):
        sys.exit("the kernel answered nothing of %d questions" % asked)
    return lacking, structs


def judge(names, kernel, gaps, answers):
    """Prints what is wrong with a kernel; 1 when there is something."""
    (lacking, structs), names, gaps = read_answers(answers), read_names(names), Gaps(gaps)
    # Of a type that the kernel lacks, what its members would be says nothing.
    absent = {n.name for n in names if n.kind == "type" and n.missed(lacking, structs)}
    places, missed = {}, set()
    for name in names:
        if name.kind in ("type", "symbol", "unknown") or name.of not in absent:
            places.setdefault(name.title(), name.place)
            if name.missed(lacking, structs):
                missed.add(name.title())
    listed = {title for title in places if gaps.lists(title, kernel)}
    wrong = ["%s: %s is not in %s" % (places[title], title, kernel) for title in missed - listed]
    wrong += ["%s is a known gap of %s, which has it" % (title, kernel) for title in listed - missed
              if gaps.lists(title, kernel, unsure=False)]
    wrong += ["%s is a known gap, but nothing names it" % title
              for title in set(gaps.of) - {name.title() for name in names}]
    for line in sorted(wrong):
        print(line)
    return len(wrong) > 0


if __name__ == "__main__":
    if sys.argv[1] == "names":
        print_names(sys.argv[2:])
    elif sys.argv[1] == "questions":
        print_questions(sys.argv[2])
    else:
        sys.exit(judge(*sys.argv[2:]))
