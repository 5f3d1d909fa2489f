// The script of every page. Without it forms still work, but live parts do not update.
import { showCopyButtons } from "./look/copy.ts";
import { listenToShortcuts } from "./palette/shortcuts.ts";

showCopyButtons(document);

// Browsers ignore `autofocus` if the address has a fragment, so the page sets the focus after it is loaded.
addEventListener("load", () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("[autofocus]")?.focus();
  }),
);

if (document.querySelector("[data-find]")) listenToShortcuts();

const passkeyPlaces = [...document.querySelectorAll<HTMLElement>("[data-passkey]")];
if (passkeyPlaces.length > 0)
  void import("./passkey/passkey.ts").then(({ offerPasskey }) => passkeyPlaces.forEach(offerPasskey));

/** Pages use the zone from the next one on. */
function sendZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (document.documentElement.dataset["zone"] !== zone)
    document.cookie = `tickmark_zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
}
// The first read of the zone takes long (65 ms here), so the page is shown before.
if (document.documentElement.dataset["zoneChoice"] === "browser") afterPaint(sendZone);

function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act));
}

/** A second click has no effect. */
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

/** Live parts of a visible page are updated at this interval, ms. */
const everyMs = 15_000;

for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) void keepLive(part);

/** The next interval begins when an answer has come. */
async function keepLive(part: HTMLElement): Promise<never> {
  for (let shown = part; ;) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    if (!document.hidden && !isInUse(shown)) shown = await renewed(shown).catch(() => shown);
  }
}

/** Fetches a part with the page's own query, and replaces it if it changed. */
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

/** Interval of the counts in the header, ms. They are updated in a hidden tab too, where they matter most. */
const countEveryMs = 60_000;

const counts = [...document.querySelectorAll<HTMLElement>("[data-count]")];
if (counts.length > 0) setInterval(() => void count().catch(() => {}), countEveryMs);

/** Alerts in progress, also in the title, and unread notices. */
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
