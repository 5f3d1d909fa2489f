import { cutLongestArray, dropDetails, shortenTexts } from "./cut.ts";
import { isPage, type View } from "./view.ts";
import { toWire } from "./wire.ts";
import type { Wording } from "./wording.ts";

/** No result is longer, in characters of JSON: about 20,000 tokens. */
export const longestResult = 60_000;

/** Longest third-party text of a row, in code points, where rows are too long as they are. */
const rowCaps = [250, 120];

/** Longest text of a single item, in code points, where it is too long as it is. */
const textCaps = [1000, 250];

/** An answer on its way to the model. */
interface Draft {
  value: Record<string, unknown>;
  escaped: number;
  truncated: number;
  readonly notes: string[];
}

/**
 * The answer as JSON, with third-party text made visible and announced, shortened step by step until it fits: text of
 * rows, text of single items, per-region and per-world details, the tails of the longest arrays.
 */
export function fitted(view: View, value: unknown, notes: readonly string[], wording: Wording): string {
  const draft = draftOf(view, value, notes);
  let done = written(view, draft, wording);
  for (const shorten of stepsOf(view, value, wording)) {
    if (done.length <= longestResult) return done;
    if (shorten(draft)) done = written(view, draft, wording);
  }
  return done;
}

function draftOf(view: View, value: unknown, notes: readonly string[]): Draft {
  const { value: safe, escaped, truncated } = view.thirdParty.apply(asObject(view, value));
  return { value: safe, escaped, truncated, notes: [...notes] };
}

/** Holds since every output schema of the API is an object, checked when the endpoint projects its answer. */
function asObject(view: View, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null)
    throw new TypeError(`${view.endpoint.id} answered no object.`);
  return value as Record<string, unknown>;
}

function written({ thirdParty, isList }: View, draft: Draft, { thirdPartyNotice }: Wording): string {
  const { escaped, truncated, notes, value } = draft;
  const notice = { notice: thirdPartyNotice, ...(isList && { paths: thirdParty.paths }), escaped, truncated };
  const head = {
    ...(thirdParty.paths.length > 0 && { third_party_text: notice }),
    ...(notes.length > 0 && { connector_notes: notes }),
  };
  return joined(toWire(head), toWire(value));
}

/** Two JSON objects without a common member as one. */
function joined(head: string, tail: string): string {
  if (head === "{}") return tail;
  return tail === "{}" ? head : `${head.slice(0, -1)},${tail.slice(1)}`;
}

/** What can be taken from a draft, in order; each says whether it took anything. */
function* stepsOf(view: View, original: unknown, { notes }: Wording): Generator<(draft: Draft) => boolean> {
  const say = (draft: Draft, note: string): void => {
    if (!draft.notes.includes(note)) draft.notes.push(note);
  };
  if (view.isList) {
    for (const rowCap of rowCaps) {
      yield (draft) => {
        Object.assign(draft, view.thirdParty.apply(asObject(view, original), rowCap));
        say(draft, notes.textShortened);
        return true;
      };
    }
  } else {
    for (const cap of textCaps) {
      yield (draft) => {
        draft.value = structuredClone(draft.value);
        const cut = shortenTexts(draft.value, cap);
        draft.truncated += cut;
        if (cut > 0) say(draft, notes.textShortened);
        return cut > 0;
      };
    }
  }
  yield (draft) => {
    draft.value = structuredClone(draft.value);
    const dropped = dropDetails(draft.value);
    if (dropped) say(draft, notes.detailsLeftOut);
    return dropped;
  };
  yield* arraySteps(notes);
}

function* arraySteps(notes: Wording["notes"]): Generator<(draft: Draft) => boolean> {
  let cut = 0;
  let more = true;
  while (more) {
    yield (draft) => {
      if (cut > 0) draft.notes.pop();
      const removed = cutLongestArray(draft.value);
      more = removed > 0;
      cut += removed;
      const isRows = isPage(draft.value);
      if (cut > 0) draft.notes.push(isRows ? notes.rowsLeftOut(cut) : notes.entriesLeftOut(cut));
      // The cursor stands behind the rows that were read: going on from it would skip what was cut.
      if (isRows) draft.value = { ...draft.value, page: { cursor: null, has_more: true } };
      return more;
    };
  }
}
