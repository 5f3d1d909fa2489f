import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { EscapePlan } from "../../core/text/escape-plan.ts";
import { withBriefRows } from "./brief-rows.ts";
import { truncateLists, dropDetails } from "./truncate-lists.ts";
import { isPage, type View } from "./view.ts";
import { toWire } from "./wire.ts";
import type { Wording } from "./wording.ts";

/** Characters of JSON: about 20,000 tokens. */
export const longestResult = 60_000;

/** Limits on third-party text of a row if rows are too long, code points. */
const rowCaps = [250, 120];

/** Limits on third-party text of a single item if it is too long, code points. */
const textCaps = [1000, 250];

/** What precedes an answer, beside the notice on third-party text. */
export interface Beside {
  readonly notes: readonly string[];
  readonly urls: readonly string[];
}

interface Draft {
  readonly value: Record<string, unknown>;
  readonly escaped: number;
  readonly truncated: number;
}

interface Step {
  readonly note: string;
  readonly shorten: (draft: Draft) => Draft;
}

/**
 * Third-party text is made visible and announced. A long answer is shortened in steps: text of rows or items,
 * details by region and world, then the ends of the longest lists, inner ones first.
 */
export function shrunkToLimit(view: View<Outline>, value: unknown, beside: Beside, wording: Wording): string {
  const answer = asObject(view, value);
  const whole = view.brief ? withBriefRows(answer, view.brief) : answer;
  const draft: Draft = view.thirdParty.apply(whole);
  const text = written(view, draft, beside, wording);
  return text.length <= longestResult ? text : shortened(view, whole, { draft, text, beside }, wording);
}

interface Attempt {
  readonly draft: Draft;
  readonly text: string;
  readonly beside: Beside;
}

function shortened(
  view: View<Outline>,
  whole: Record<string, unknown>,
  first: Attempt,
  wording: Wording,
): string {
  let attempt = first;
  for (const { note, shorten } of stepsOf(view, whole, wording)) {
    if (attempt.text.length <= longestResult) return attempt.text;
    const draft = shorten(attempt.draft);
    const beside = attempt.beside.notes.includes(note) ? attempt.beside : alsoNoting(attempt.beside, [note]);
    const text = written(view, draft, beside, wording);
    if (text.length < attempt.text.length) attempt = { draft, text, beside };
  }
  return attempt.text.length <= longestResult ? attempt.text : cutToFit(view, attempt, wording);
}

const alsoNoting = ({ notes, urls }: Beside, more: readonly string[]): Beside => ({
  notes: [...notes, ...more],
  urls,
});

/** The last resort. It always ends, because an answer without entries is short. */
function cutToFit(view: View<Outline>, { draft, beside, text: long }: Attempt, wording: Wording): string {
  const value = structuredClone(draft.value);
  let [text, rows, others] = [long, 0, 0];
  while (text.length > longestResult) {
    const cut = truncateLists(value, text.length - longestResult);
    if (cut.rows + cut.others === 0) return text;
    [rows, others] = [rows + cut.rows, others + cut.others];
    // The cursor points behind all rows that were read: the next page would skip the rows that were cut.
    if (isPage(value) && rows > 0) Object.assign(value, { page: { cursor: null, has_more: true } });
    const notes = isPage(value) ? cutNotes(rows, others, wording) : cutNotes(0, rows + others, wording);
    text = written(view, { ...draft, value }, alsoNoting(beside, notes), wording);
  }
  return text;
}

const cutNotes = (rows: number, entries: number, { notes }: Wording): string[] => [
  ...(entries > 0 ? [notes.entriesLeftOut(entries)] : []),
  ...(rows > 0 ? [notes.rowsLeftOut(rows)] : []),
];

/** Every endpoint of the API answers an object; the answer of a remote service is checked. */
function asObject(view: View<Outline>, value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) throw new TypeError(`${view.endpoint.id} answered no object.`);
  return value;
}

function written(
  { thirdParty }: View<Outline>,
  draft: Draft,
  { notes, urls }: Beside,
  { thirdPartyNotice }: Wording,
): string {
  const { escaped, truncated, value } = draft;
  const head: string[] = [];
  if (thirdParty.paths.length > 0)
    head.push(
      `"third_party_text":{${noticeOf(thirdParty, thirdPartyNotice)},"escaped":${escaped},"truncated":${truncated}}`,
    );
  if (notes.length > 0) head.push(`"connector_notes":${toWire(notes)}`);
  if (urls.length > 0) head.push(`"urls":${toWire(urls)}`);
  const members = toWire(value).slice(1, -1);
  if (members !== "") head.push(members);
  return `{${head.join(",")}}`;
}

const notices = new WeakMap<EscapePlan["paths"], { readonly notice: string; readonly text: string }>();

/** Cached by view: the notice on third-party text, and the paths of that text. */
function noticeOf({ paths }: EscapePlan, notice: string): string {
  const known = notices.get(paths);
  if (known?.notice === notice) return known.text;
  const text = toWire({ notice, paths }).slice(1, -1);
  notices.set(paths, { notice, text });
  return text;
}

/** In the order in which they are tried. */
function stepsOf(
  { isList, thirdParty }: View<Outline>,
  whole: Record<string, unknown>,
  { notes }: Wording,
): Step[] {
  const texts = isList
    ? rowCaps.map((row) => () => thirdParty.apply(whole, { row }))
    : textCaps.map((cap) => () => thirdParty.apply(whole, { row: cap, item: cap }));
  const withoutDetails = (draft: Draft): Draft => {
    const value = structuredClone(draft.value);
    dropDetails(value);
    return { ...draft, value };
  };
  return [
    ...texts.map((shorten) => ({ note: notes.textShortened, shorten })),
    { note: notes.detailsLeftOut, shorten: withoutDetails },
  ];
}
