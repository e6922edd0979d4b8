// What pages gain where scripts run: the token's exchange, a filter for lists, keys, the theme, copying, and live updates. Every page is
// whole without it. It is bundled by bench/web/bundle into ../assets/app.js, which is checked in.

declare const trustedTypes: { createPolicy(name: string, rules: { createHTML(s: string): string }): { createHTML(s: string): string } } | undefined;

// Pages of this server alone are parsed, never shown by a string: the policy is for DOMParser.
const policy = typeof trustedTypes === "undefined" ? undefined : trustedTypes.createPolicy("ken", { createHTML: (s) => s });

const all = <E extends Element>(selector: string, root: ParentNode = document): E[] => Array.from(root.querySelectorAll<E>(selector));

const live = (text: string): void => {
  const at = document.getElementById("live");
  if (at) at.textContent = text;
};

// signIn exchanges the token behind # for the cookie.
function signIn(): void {
  const form = document.getElementById("login") as HTMLFormElement | null;
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  if (!form) {
    if (token) history.replaceState(null, "", location.pathname + location.search);
    return;
  }
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  (form.elements.namedItem("token") as HTMLInputElement).value = token;
  form.submit();
}

// Theme: the system's until the user chooses.
function setTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; path=${location.pathname.replace(/[^/]*$/, "")}; samesite=strict; max-age=31536000`;
  live(`${root.dataset.theme} theme`);
}

// Filter: a field above each marked list of more than a few rows.
function addFilters(): void {
  for (const list of all<HTMLElement>("[data-filter]")) {
    const rows = all<HTMLElement>("tbody > tr, :scope > li, details.group li", list);
    if (rows.length < 12 || list.previousElementSibling?.classList.contains("filter")) continue;
    const field = document.createElement("input");
    field.type = "search";
    field.className = "filter";
    field.placeholder = `Filter ${list.dataset.filter ?? ""}`;
    field.setAttribute("aria-label", field.placeholder);
    const key = `f-${list.dataset.filter ?? ""}`.replace(/ /g, "-");
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = (row.textContent ?? "").toLowerCase();
        row.hidden = !words.every((w) => text.includes(w));
        if (!row.hidden) shown++;
      }
      for (const group of all<HTMLElement>("details.group", list)) group.hidden = all<HTMLElement>("li", group).every((li) => li.hidden);
      const at = new URL(location.href);
      if (field.value) at.searchParams.set(key, field.value);
      else at.searchParams.delete(key);
      history.replaceState(history.state, "", at);
      live(`${shown} of ${rows.length}`);
    });
    list.before(field);
    const kept = new URLSearchParams(location.search).get(key);
    if (kept) {
      field.value = kept;
      field.dispatchEvent(new Event("input"));
    }
  }
}

// Keys: / searches, j and k move through the links of lists, Enter opens, t changes the theme.
let chosen: HTMLElement | undefined;

function rows(): HTMLElement[] {
  return all<HTMLElement>("main .rows li, main tbody tr, main .way li").filter((r) => r.querySelector("a") && r.offsetParent !== null);
}

function move(step: number): void {
  const list = rows();
  if (!list.length) return;
  const at = chosen ? list.indexOf(chosen) : -1;
  const next = list[Math.max(0, Math.min(list.length - 1, at + step))];
  if (!next) return;
  chosen?.classList.remove("chosen");
  chosen = next;
  next.classList.add("chosen");
  next.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function onKey(e: KeyboardEvent): void {
  const target = e.target as HTMLElement;
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) {
    if (e.key === "Escape") target.blur();
    return;
  }
  switch (e.key) {
    case "/":
      document.getElementById("q")?.focus();
      break;
    case "j":
      move(1);
      break;
    case "k":
      move(-1);
      break;
    case "t":
      setTheme();
      break;
    default:
      return;
  }
  e.preventDefault();
}

function addButtons(): void {
  for (const b of all<HTMLButtonElement>("button.copy")) {
    b.hidden = false;
    b.addEventListener("click", () => {
      navigator.clipboard?.writeText(b.dataset.copy ?? "").then(
        () => live("copied"),
        () => live("the browser does not let this page copy"),
      );
    });
  }
}

// Live: one stream of events; a page of an older revision is fetched again and its main part replaced, unless the user is typing.
async function refresh(): Promise<void> {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const text = await answer.text();
  const doc = new DOMParser().parseFromString((policy ? policy.createHTML(text) : text) as string, "text/html");
  const fresh = doc.getElementById("main");
  const old = document.getElementById("main");
  if (!fresh || !old || old.contains(document.activeElement) && document.activeElement?.tagName === "INPUT") return;
  const open = new Set(all<HTMLDetailsElement>("details[open]", old).map((d) => d.querySelector("summary")?.textContent ?? ""));
  for (const d of all<HTMLDetailsElement>("details", fresh)) d.open = open.has(d.querySelector("summary")?.textContent ?? "");
  const at = window.scrollY;
  old.replaceWith(document.adoptNode(fresh));
  document.body.dataset.revision = doc.body.dataset.revision ?? "0";
  window.scrollTo(0, at);
  chosen = undefined;
  addFilters();
  live(`The tree changed: revision ${document.body.dataset.revision}`);
}

function follow(): void {
  if (!document.body.dataset.revision) return;
  const events = new EventSource("./events");
  events.addEventListener("revision", (e) => {
    const now = Number((e as MessageEvent<string>).data);
    const shown = Number(document.body.dataset.revision);
    if (shown > 0 && now > shown) void refresh();
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) live("ken web has ended");
  });
  addEventListener("pagehide", () => events.close());
}

signIn();
const theme = document.querySelector<HTMLButtonElement>("button.theme");
if (theme) {
  theme.hidden = false;
  theme.addEventListener("click", setTheme);
}
addFilters();
addButtons();
document.addEventListener("keydown", onKey);
follow();
