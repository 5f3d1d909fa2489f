// The preview beside the form of an alert rule follows the form. Without this script a link leads to its page.

/** The time without a change after which a preview is requested, ms. */
const quietMs = 400;

for (const part of document.querySelectorAll("[data-preview]")) follow(part);

function follow(part) {
  const form = part.closest(".card").querySelector('form[method="post"]');
  if (!form) return;
  let timer = 0;
  let current = new AbortController();
  form.addEventListener("input", ({ target }) => {
    if (!fields.includes(target.name)) return;
    clearTimeout(timer);
    current.abort();
    timer = setTimeout(() => {
      current = new AbortController();
      void renew(part, form, current.signal);
    }, quietMs);
  });
}

/** The fields of the form by which the preview differs. */
const fields = ["condition", "threshold", "duration_minutes", "cooldown_minutes"];

/** Requests the preview of the form as it stands. A request that a later change replaced changes nothing. */
async function renew(part, form, signal) {
  const url = new URL(part.dataset.preview, location.href);
  for (const name of fields) {
    const value = form.elements.namedItem(name)?.value;
    if (value) url.searchParams.set(name, value);
  }
  const busy = part.querySelector("[data-preview-busy]");
  busy.hidden = false;
  try {
    const answer = await fetch(url, { headers: { accept: "text/html" }, signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector("[data-preview]");
    if (!next) throw new Error(`The answer ${answer.status} has no preview.`);
    for (const name of ["sentence", "details"])
      pieceOf(part, name).replaceChildren(...pieceOf(next, name).childNodes);
    failed(part, false);
  } catch {
    if (signal.aborted) return;
    failed(part, true);
  }
  busy.hidden = true;
}

const pieceOf = (part, name) => part.querySelector(`[data-preview-part="${name}"]`);

function failed(part, isFailed) {
  part.querySelector("[data-preview-failed]").hidden = !isFailed;
  if (isFailed) for (const name of ["sentence", "details"]) pieceOf(part, name).replaceChildren();
}
