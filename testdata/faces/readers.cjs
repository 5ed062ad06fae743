// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what obit writes with programs that are not ours, from npm: readers.cjs WHAT FILE... Prints what is wrong.
//   markdown FILE WORD...    commonmark and marked: no tag, link or picture but obit's own; the words are there as text
//   page FILE PICTURE WORD...  Chromium: nothing is asked for, run or complained of; the words are there as text
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
	await { markdown, page, sarif, job }[what]();
	process.exit(wrong ? 1 : 0);
})().catch((e) => {
	console.log(String(e.stack || e));
	process.exit(1);
});
