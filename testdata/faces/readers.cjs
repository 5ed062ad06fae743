// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what obit writes with programs that are not ours, from npm: readers.cjs WHAT FILE... Prints what is wrong.
//   markdown FILE WORD...    commonmark and marked: no tag, link or picture but obit's own; the words are there as text
//   page FILE PICTURE WORD...  Chromium: nothing is asked for, run or complained of; the words are there as text
//   picture FILE PICTURE     Chromium: a page of trace export is enlarged, moved and opened at a range, and shows that range
//   sarif FILE               the schema of OASIS, by ajv
//   job FILE                 a Job of Kubernetes, by the models that are made of its API; each member means something
"use strict";
const fs = require("fs");
const path = require("path");
const from = require("module").createRequire(path.join(process.env.OBIT_NODE, "x"));
const [what, file, ...rest] = process.argv.slice(2);
let wrong = 0;

function bad(...words) {
	if (wrong++ < 20)
		console.log(...words);
}

const OWN = /^(<details><summary>[A-Za-z0-9 ,.()]*<\/summary>|<\/details>)$/;

function markdown() {
	const text = fs.readFileSync(file, "utf8");
	const commonmark = from("commonmark");
	const walker = new commonmark.Parser().parse(text).walker();
	for (let event; (event = walker.next()); ) {
		const n = event.node;
		if (["link", "image"].includes(n.type) || (/^html/.test(n.type) && event.entering && !OWN.test(n.literal.trim())))
			bad("commonmark:", n.type, n.destination || n.literal || "");
		if (n.type === "heading" && event.entering && n.sourcepos[0][0] !== 1)
			bad("commonmark: a heading in line", n.sourcepos[0][0]);
	}
	const marked = from("marked").marked.setOptions({ gfm: true });
	let seen = "";
	marked.walkTokens(marked.lexer(text), (t) => {
		if (["link", "image", "del", "def"].includes(t.type) || (t.type === "html" && !OWN.test(t.raw.trim())))
			bad("marked:", t.type, t.raw);
		if (["text", "code", "codespan", "escape"].includes(t.type) && !(t.tokens && t.tokens.length))
			seen += t.text + "\n";
		// who is named or what is numbered hears of it, but in code
		if (["text", "paragraph"].includes(t.type) && /(^|[^\w&`\\])(@[a-z]|#\d|GH-\d)/i.test(t.raw.replace(/`[^`]*`/g, "")))
			bad("a mention:", t.raw.slice(0, 200));
	});
	const html = marked.parse(text);
	for (const tag of html.match(/<\/?[a-z][^>]*>/gi) || [])
		if (!/^<\/?(h3|table|thead|tbody|tr|th|td|code|strong|p|pre|details|summary)( class="language-text")?>$/.test(tag))
			bad("marked makes", tag);
	for (const word of rest)
		if (!html.includes(escaped(word)))
			bad("is not there:", word);
	return seen;
}

function escaped(s) {
	return s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}

async function page() {
	const [picture, ...words] = rest;
	const url = "file://" + path.resolve(file);
	const browser = await from("puppeteer-core").launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		headless: true, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
	try {
		for (const script of [true, false])
			await look(browser, url, script, picture, words);
	} finally {
		await browser.close();
	}
}

async function look(browser, url, script, picture, words) {
	const p = await browser.newPage();
	p.on("request", (r) => r.url() === url || bad("asks for", r.url()));
	p.on("console", (m) => bad("console:", m.text()));
	p.on("pageerror", (e) => bad("error:", String(e)));
	p.on("dialog", (d) => (bad("dialog:", d.message()), d.dismiss()));
	await p.setJavaScriptEnabled(script);
	await p.setViewport({ width: 1100, height: 1400 });
	await p.goto(url, { waitUntil: "load", timeout: 60000 });
	const found = await p.evaluate(() => ({
		scripts: document.scripts.length,
		others: document.querySelectorAll("img,iframe,object,embed,link,base,form,video,audio,b b").length,
		on: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length,
		owned: "owned" in window,
		text: document.body.textContent,
		band: document.querySelector("h1").textContent,
		wide: document.documentElement.scrollWidth > window.innerWidth,
	}));
	if (found.scripts !== 1 || found.others || found.on || found.owned || !found.band || found.wide)
		bad("the page has", { ...found, text: "" });
	for (const word of words)
		if (!found.text.includes(word))
			bad("is not there:", word);
	if (script)
		await filter(p);
	for (const scheme of script ? ["light", "dark"] : []) {
		await p.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
		const body = (await p.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g).map(Number);
		const sum = body[0] + body[1] + body[2];
		if (body[3] === 0 || (scheme === "dark" ? sum > 250 : sum < 600))
			bad("it is not", scheme, body);
		await p.screenshot({ path: picture + "-" + scheme + ".png" });
	}
	await p.close();
}

// what is typed into a filter hides what does not have it, and only that
async function filter(p) {
	const got = await p.evaluate(() => {
		const out = [];
		for (const input of document.querySelectorAll("input[data-of]")) {
			const of = document.getElementById(input.dataset.of);
			const shown = () => [...of.children].filter((e) => e.getClientRects().length).length;
			const before = shown();
			input.value = "no such words anywhere";
			input.dispatchEvent(new Event("input"));
			const none = shown();
			input.value = "";
			input.dispatchEvent(new Event("input"));
			out.push([input.dataset.of, before, none, shown()]);
		}
		return out;
	});
	for (const [of, before, none, after] of got)
		if (!before || none >= before || after !== before)
			bad("the filter of", of, before, none, after);
}

// ---- a page of trace export

const UNIT = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };

// what the page shows: the range in seconds, by its address; by its ticks; and names that are wider than their bars
async function shown(p) {
	await new Promise((done) => setTimeout(done, 200));
	return p.evaluate((unit) => {
		const r = document.getElementById("range").dataset;
		const whole = [r.since / 1e9, r.until / 1e9];
		const svg = document.querySelector(".obit-trace");
		const box = svg.getBoundingClientRect();
		const hash = /^#([\d.]+)-([\d.]+)$/.exec(location.hash);
		const ticks = [...document.querySelectorAll(".ticks text")].map((t) => {
			const m = /^-([\d.]+) (\w+)$/.exec(t.textContent);
			return [+t.getAttribute("x"), whole[1] - (m ? m[1] * unit[m[2]] : 0)];
		});
		const [a, b] = [ticks[0], ticks[ticks.length - 1]];
		const at = (x) => a[1] + ((x - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
		const bars = [...svg.querySelectorAll(":scope>g>rect")].filter((e) => e.parentNode.style.display !== "none");
		const wide = bars.filter((e) => {
			const t = e.parentNode.querySelector("text");
			return t && t.getComputedTextLength() > +e.getAttribute("width") + 1;
		});
		return { range: hash ? [+hash[1], +hash[2]] : whole, ticked: [at(64), at(1164)], hash: location.hash, whole, many: ticks.length,
			left: box.left, scale: box.width / svg.viewBox.baseVal.width, hidden: document.getElementById("range").hidden,
			shapes: svg.querySelectorAll(":scope>g").length, bars: bars.length, wide: wide.map((e) => e.parentNode.textContent),
			out: bars.filter((e) => +e.getAttribute("x") < 63.9 || +e.getAttribute("x") + +e.getAttribute("width") > 1165).length };
	}, UNIT);
}

function near(a, b, span) {
	return Math.abs(a - b) <= span / 500;
}

async function whole_picture(browser, url) {
	const p = await browser.newPage();
	await p.setJavaScriptEnabled(false);
	await p.goto(url, { waitUntil: "load", timeout: 60000 });
	const plain = await p.evaluate(() => [document.getElementById("range").hidden, document.querySelectorAll(".obit-trace>g").length]);
	if (!plain[0] || plain[1] < 3 || plain[1] > 5100)
		bad("without scripts:", plain);
	await p.close();
}

async function picture_page(browser, url, picture) {
	const p = await browser.newPage();
	p.on("request", (r) => r.url().split("#")[0] === url || bad("asks for", r.url()));
	p.on("console", (m) => bad("console:", m.text()));
	p.on("pageerror", (e) => bad("error:", String(e)));
	await p.setViewport({ width: 1280, height: 700 });
	await p.goto(url, { waitUntil: "load", timeout: 20000 });
	const before = await shown(p);
	const span = before.whole[1] - before.whole[0];
	const check = (what, ok, got) => ok || bad(what, got);
	const sound = (what, v) => check(what, !v.wide.length && !v.out && v.many > 1 && near(v.ticked[0], v.range[0], v.range[1] - v.range[0]) &&
		near(v.ticked[1], v.range[1], v.range[1] - v.range[0]), v);
	sound("at first", before);
	check("the line about keys", !before.hidden, before.hidden);
	// what is under the pointer stays there
	const x = before.left + (64 + 0.75 * 1100) * before.scale;
	const y = await p.evaluate(() => document.querySelector(".obit-trace").getBoundingClientRect().top + 40);
	await p.mouse.move(x, y);
	for (let i = 0; i < 5; i++)
		await p.mouse.wheel({ deltaY: -100 });
	const zoomed = await shown(p);
	const wide = zoomed.range[1] - zoomed.range[0];
	sound("enlarged", zoomed);
	check("narrower", near(wide, span * 0.8 ** 5, span), zoomed.range);
	check("the pointer's time", near(zoomed.range[0] + 0.75 * wide, before.whole[0] + 0.75 * span, wide), zoomed.range);
	await p.mouse.down();
	await p.mouse.move(x + 110 * before.scale, y, { steps: 5 });
	await p.mouse.up();
	const moved = await shown(p);
	sound("moved", moved);
	check("by a tenth", near(moved.range[0], zoomed.range[0] - wide / 10, wide), moved.range);
	for (const scheme of ["light", "dark"]) {
		await p.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
		await p.screenshot({ path: picture + "-" + scheme + ".png" });
	}
	await p.keyboard.press("ArrowRight");
	const right = await shown(p);
	check("right", near(right.range[0], zoomed.range[0], wide), right.range);
	await p.keyboard.press("End");
	const end = await shown(p);
	check("the end", near(end.range[1], before.whole[1], span) && near(end.range[1] - end.range[0], wide, span), end.range);
	await p.keyboard.press("0");
	const again = await shown(p);
	check("the whole", !again.hash && again.bars === before.bars, again.hash);
	for (let i = 0; i < 40; i++)
		await p.keyboard.press("+");
	sound("as far as it goes", await shown(p));
	await p.close();
	// the address alone brings the range back; one that is none does not
	for (const [hash, range] of [[moved.hash, moved.range], ["#9-1", before.whole], ["#x", before.whole], ["#0-0.1e9", before.whole]]) {
		const q = await browser.newPage();
		await q.goto(url + hash, { waitUntil: "load", timeout: 20000 });
		const v = await shown(q);
		check("opened at " + hash, near(v.ticked[0], range[0], range[1] - range[0]) && near(v.ticked[1], range[1], range[1] - range[0]), v.ticked);
		await q.close();
	}
}

async function picture() {
	const url = "file://" + path.resolve(file);
	const browser = await from("puppeteer-core").launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		headless: true, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
	try {
		await whole_picture(browser, url);
		await picture_page(browser, url, rest[0]);
	} finally {
		await browser.close();
	}
}

function sarif() {
	const schema = from.resolve("@microsoft/jest-sarif/package.json").replace("package.json", "lib/schemas/sarif-2.1.0-rtm.5.json");
	const Ajv = from("ajv").default;
	const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
	from("ajv-formats").default(ajv);
	const read = JSON.parse(fs.readFileSync(schema, "utf8"));
	delete read.$schema; // draft 4, of which ajv knows all that stands there but this
	delete read.id;
	const validate = ajv.compile(read);
	if (!validate(JSON.parse(fs.readFileSync(file, "utf8"))))
		for (const e of validate.errors)
			bad(e.instancePath, e.message, JSON.stringify(e.params));
}

function job() {
	const { Job } = from("kubernetes-models/batch/v1");
	const text = fs.readFileSync(file, "utf8");
	const parse = () => from("yaml").parse(text);
	const passes = (j) => {
		try {
			new Job(j).validate();
			return "";
		} catch (e) {
			return e.message;
		}
	};
	if (passes(parse()))
		bad(passes(parse()));
	// the models let members pass that the API does not have; but those it has, they want of their own type
	const walk = (at) => {
		const o = at.reduce((v, k) => v[k], parse());
		for (const k of o && typeof o === "object" ? Object.keys(o) : []) {
			const changed = parse();
			at.reduce((v, key) => v[key], changed)[k] = typeof o[k] === "object" ? 3 : [[]];
			if (!passes(changed))
				bad("no such member:", [...at, k].join("."));
			walk([...at, k]);
		}
	};
	walk([]);
}

(async () => {
	await { markdown, page, picture, sarif, job }[what]();
	process.exit(wrong ? 1 : 0);
})().catch((e) => {
	console.log(String(e.stack || e));
	process.exit(1);
});
