// What every page moves with; without it forms are sent as they are, and live parts are as old as the page.

/** A form goes once: a second click while the first is on its way makes nothing twice. */
for (const form of document.querySelectorAll('form[method="post"]:not([data-upload])')) sendOnce(form);

function sendOnce(form) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  // A page that the browser kept is shown again as it was left.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) isSent = false;
  });
}

/** How often live parts are asked for while somebody looks, ms. */
const everyMs = 15_000;

if (document.querySelector("[data-live]")) setInterval(() => void renew().catch(() => {}), everyMs);

/** Puts the live parts of the page as it is now in the place of those that are shown, where they differ. */
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

/** Nothing is taken from under somebody's hands: what has the focus, is opened or selected stays. */
function isInUse(part) {
  const selection = getSelection();
  const isSelected = selection && !selection.isCollapsed && selection.containsNode(part, true);
  return isSelected || part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}
