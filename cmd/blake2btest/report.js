"use strict";

const form = document.getElementById("filters"); // there is none for one port
const rows = document.querySelectorAll("tr[data-verdict]");

// filter hides what is of ports that are not asked for.
function filter() {
	const want = new FormData(form);
	const text = want.get("text").trim().toLowerCase();
	const fits = (asked, has) => !asked || has.includes(asked);
	const shown = new Set();
	for (const { dataset: port } of rows) {
		if (`${port.name}\n${port.code}`.toLowerCase().includes(text) &&
			fits(want.get("verdict"), [port.verdict]) &&
			fits(want.get("language"), [port.language]) &&
			fits(want.get("offers"), port.offers.split(" "))) {
			shown.add(port.port);
		}
	}
	for (const e of document.querySelectorAll("[data-port]")) {
		e.hidden = !shown.has(e.dataset.port);
	}
	form.querySelector("output").value = `${shown.size} of ${rows.length} shown`;
}

// reveal shows what a link leads to, be it folded or filtered out.
function reveal() {
	const target = document.getElementById(location.hash.slice(1));
	if (!target) return;
	if (target.closest("[hidden]")) {
		form.reset();
		filter();
	}
	for (let e = target; e; e = e.parentElement) {
		if (e instanceof HTMLDetailsElement) e.open = true;
	}
	target.scrollIntoView();
}

if (form) {
	form.hidden = false;
	form.addEventListener("input", filter);
	form.addEventListener("reset", () => setTimeout(filter));
	form.addEventListener("submit", (e) => e.preventDefault());
	filter(); // a browser may have kept what was asked for before a reload
}
addEventListener("hashchange", reveal);
addEventListener("click", (e) => {
	const link = e.target.closest("a");
	if (link && link.hash === location.hash) reveal(); // no change of hash
});
reveal();
