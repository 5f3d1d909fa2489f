// The script of every page. Without it forms still work, and live parts do not update.
import { showCopyButtons } from "./look/copy.ts";
import { listenToShortcuts } from "./palette/shortcuts.ts";

showCopyButtons(document);

// A browser does not follow `autofocus` where the address has a fragment: the page does it in the frame after it is loaded.
addEventListener("load", () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("[autofocus]")?.focus();
  }),
);

if (document.querySelector("[data-find]")) listenToShortcuts();

const passkeyPlaces = [...document.querySelectorAll<HTMLElement>("[data-passkey]")];
if (passkeyPlaces.length > 0)
  void import("./passkey/passkey.ts").then(({ offerPasskey }) => passkeyPlaces.forEach(offerPasskey));

/** Tells the service the browser's time zone; the next page is in it. */
function sendZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (document.documentElement.dataset["zone"] !== zone)
    document.cookie = `tickmark_zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
}
// A browser needs long to read its zone the first time (65 ms here), so the page is shown before.
if (document.documentElement.dataset["zoneChoice"] === "browser") afterPaint(sendZone);

/** Calls `act` after the page was painted. */
function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act));
}

/** Sends a form only once: a second click has no effect. */
function sendOnce(form: HTMLFormElement): void {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  // The browser may show the page again from its cache.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) isSent = false;
  });
}

const postForms = (within: ParentNode) =>
  within.querySelectorAll<HTMLFormElement>('form[method="post"]:not([data-upload])');

for (const form of postForms(document)) sendOnce(form);

/** The interval at which live parts are updated while the page is visible, ms. */
const everyMs = 15_000;

for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) void keepLive(part);

/** Updates a part until the page is left. The next interval begins when an answer has come. */
async function keepLive(part: HTMLElement): Promise<never> {
  for (let shown = part; ;) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    if (!document.hidden && !isInUse(shown)) shown = await renewed(shown).catch(() => shown);
  }
}

/** Fetches one part of the page, with the page's own query, and replaces the part if it changed. */
async function renewed(part: HTMLElement): Promise<HTMLElement> {
  const address = new URL(location.href);
  address.searchParams.set("part", part.dataset["live"] ?? "");
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return part;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
  if (!(next instanceof HTMLElement) || next.dataset["live"] !== part.dataset["live"]) return part;
  if (isInUse(part) || next.outerHTML === part.outerHTML) return part;
  part.replaceWith(next);
  for (const form of postForms(next)) sendOnce(form);
  return next;
}

/** A part with the focus, an open `details` element or selected text is not replaced. */
function isInUse(part: HTMLElement): boolean {
  const selection = getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(part, true);
  return isSelected || part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

/** The interval at which the counts in the header are updated, ms. They matter most while another tab is open. */
const countEveryMs = 60_000;

const counts = [...document.querySelectorAll<HTMLElement>("[data-count]")];
if (counts.length > 0) setInterval(() => void count().catch(() => {}), countEveryMs);

/** Shows how many alerts are in progress, also in the title, and how many notices are unread. */
async function count(): Promise<void> {
  const answer = await fetch("/find?data=attention", { headers: { accept: "application/json" } });
  if (!answer.ok || answer.redirected) return;
  const waiting = (await answer.json()) as Readonly<Record<string, number>>;
  for (const element of counts) {
    const value = waiting[element.dataset["count"] ?? ""] ?? 0;
    element.hidden = value === 0;
    const words = Object.assign(document.createElement("span"), { className: "unseen" });
    words.textContent = ` ${element.dataset["words"] ?? ""}`;
    element.replaceChildren(...(value === 0 ? [] : [String(value), words]));
  }
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting["alerts"] ? `(${waiting["alerts"]}) ${title}` : title;
}
