// The chart and the preview of an alert rule follow its form. Without the script a link shows the preview.
import type { Stretch } from "./chart/chart-data.ts";
import { RuleChart } from "./rule-preview/rule-history.ts";

/** A preview is requested after this time without a change, ms. */
const quietMs = 400;

/** The fields that change the preview. */
const fields = ["condition", "threshold", "duration_minutes", "cooldown_minutes"];

for (const part of document.querySelectorAll<HTMLElement>("[data-preview]")) follow(part);

function follow(part: HTMLElement): void {
  const form = part.closest(".card")?.querySelector<HTMLFormElement>('form[method="post"]');
  if (!form) return;
  const history = historyOf(part, form);
  let timer = 0;
  let current = new AbortController();
  form.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    if (!fields.includes(target.name)) return;
    clearTimeout(timer);
    current.abort();
    timer = setTimeout(() => {
      current = new AbortController();
      void renew(part, form, current.signal).then(() => history?.shade(alertsOf(part)));
    }, quietMs);
  });
}

/** The form's chart: its threshold moves the field and follows it. Null if there is none. */
function historyOf(part: HTMLElement, form: HTMLFormElement): RuleChart | null {
  const area = part.querySelector<HTMLElement>("[data-rule-history]");
  const figure = area?.querySelector("figure");
  const field = form.querySelector<HTMLInputElement>('[name="threshold"]');
  if (!area || !figure || !field) return null;
  const typed = () => (field.value === "" || Number.isNaN(field.valueAsNumber) ? null : field.valueAsNumber);
  const condition = () => form.querySelector<HTMLSelectElement>('[name="condition"]')?.value ?? "";
  const onMove = (value: number) => {
    field.value = String(value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const history = new RuleChart(area, figure, onMove);
  const follow = () => history.show(typed(), condition());
  form.addEventListener("input", follow);
  follow();
  history.shade(alertsOf(part));
  return history;
}

/** The times in alert of the preview. */
function alertsOf(part: HTMLElement): readonly Stretch[] {
  const { alerts } = part.querySelector<HTMLElement>("[data-alerts]")?.dataset ?? {};
  return JSON.parse(alerts ?? "[]") as Stretch[];
}

/** A request that a later one replaced changes nothing. */
async function renew(part: HTMLElement, form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const url = new URL(part.dataset["preview"] ?? "", location.href);
  const typed = new FormData(form);
  for (const name of fields) {
    const value = typed.get(name);
    if (typeof value === "string" && value !== "") url.searchParams.set(name, value);
  }
  const busy = part.querySelector<HTMLElement>("[data-preview-busy]");
  if (busy) busy.hidden = false;
  try {
    const answer = await fetch(url, { headers: { accept: "text/html" }, signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector("[data-preview]");
    if (!next) throw new Error(`The answer ${answer.status} has no preview.`);
    for (const name of pieces)
      pieceOf(part, name)?.replaceChildren(...(pieceOf(next, name)?.childNodes ?? []));
    failed(part, false);
  } catch {
    if (signal.aborted) return;
    failed(part, true);
  }
  if (busy) busy.hidden = true;
}

const pieces = ["sentence", "details"] as const;

const pieceOf = (part: Element, name: string) => part.querySelector(`[data-preview-part="${name}"]`);

function failed(part: HTMLElement, isFailed: boolean): void {
  const notice = part.querySelector<HTMLElement>("[data-preview-failed]");
  if (notice) notice.hidden = !isFailed;
  if (isFailed) for (const name of pieces) pieceOf(part, name)?.replaceChildren();
}
