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

if (document.querySelector("[data-live]")) setInterval(() => void renew().catch(() => {}), everyMs);

/** Fetches the page again and replaces the live parts that changed. */
async function renew() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!next || isInUse(part) || next.outerHTML === part.outerHTML) continue;
    part.replaceWith(next);
    for (const form of next.querySelectorAll('form[method="post"]')) sendOnce(form);
  }
}

/** A part with the focus, an open `details` element or selected text is not replaced. */
function isInUse(part) {
  const selection = getSelection();
  const isSelected = selection && !selection.isCollapsed && selection.containsNode(part, true);
  return isSelected || part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}
