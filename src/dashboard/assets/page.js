// The script of every page. Without it forms still work, and live parts do not update.

/** Sends a form only once: a second click has no effect. */
for (const form of document.querySelectorAll('form[method="post"]:not([data-upload])')) sendOnce(form);

function sendOnce(form) {
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

/** The interval at which live parts are updated while the page is visible, ms. */
const everyMs = 15_000;

for (const part of document.querySelectorAll("[data-live]")) void keepLive(part);

/** Updates a part until the page is left. The next interval begins when an answer has come. */
async function keepLive(part) {
  for (let shown = part; ;) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    if (!document.hidden && !isInUse(shown)) shown = await renewed(shown).catch(() => shown);
  }
}

/** Fetches one part of the page, with the page's own query, and replaces the part if it changed. */
async function renewed(part) {
  const address = new URL(location.href);
  address.searchParams.set("part", part.dataset.live);
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return part;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
  if (next?.dataset.live !== part.dataset.live || isInUse(part) || next.outerHTML === part.outerHTML)
    return part;
  part.replaceWith(next);
  for (const form of next.querySelectorAll('form[method="post"]')) sendOnce(form);
  return next;
}

/** A part with the focus, an open `details` element or selected text is not replaced. */
function isInUse(part) {
  const selection = getSelection();
  const isSelected = selection && !selection.isCollapsed && selection.containsNode(part, true);
  return isSelected || part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}
