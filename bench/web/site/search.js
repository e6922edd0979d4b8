"use strict";

// find returns the sections that have all words of a query, the last of which may be the beginning of one. Those with words in their titles
// come first.
function find(index, query) {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []);
  let scores = null;
  words.forEach((word, i) => {
    const lists = i < words.length - 1 ? [word] : Object.keys(index.words).filter((w) => w.startsWith(word));
    const found = new Map();
    for (const w of lists) {
      if (!Object.hasOwn(index.words, w)) continue;
      for (const n of index.words[w]) {
        const at = n < 0 ? -n - 1 : n;
        const score = (n < 0 ? 10 : 1) + (w === word ? 1 : 0);
        found.set(at, Math.max(found.get(at) || 0, score));
      }
    }
    if (scores === null) { scores = found; return; }
    for (const [at, score] of scores) {
      if (found.has(at)) scores.set(at, score + found.get(at)); else scores.delete(at);
    }
  });
  return [...(scores || [])].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([at]) => index.sections[at]);
}

// start connects the field with the list below it. The index is loaded when the field is first used.
function start(document) {
  const up = document.documentElement.dataset.up;
  const field = document.getElementById("query");
  const list = document.getElementById("found");
  document.getElementById("search").hidden = false;
  function show() {
    const all = typeof KEN_INDEX === "undefined" ? [] : find(KEN_INDEX, field.value);
    list.replaceChildren(...all.slice(0, 20).map(([page, title, address]) => {
      const link = document.createElement("a");
      link.href = up + address;
      link.textContent = page === title ? page : page + ": " + title;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
    document.getElementById("count").textContent = field.value.trim() === "" ? "" : all.length + " found";
  }
  field.addEventListener("focus", () => {
    const script = document.createElement("script");
    script.src = up + "index.js";
    script.addEventListener("load", show);
    document.head.append(script);
  }, { once: true });
  field.addEventListener("input", show);
}

if (typeof document !== "undefined") start(document);
if (typeof module !== "undefined") module.exports = { find };
