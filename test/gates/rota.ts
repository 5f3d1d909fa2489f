import { markOf, marksIn } from "./marked-text.ts";

/** How a text got into a field: as it is, its beginning, or not at all. */
export type Fit = "whole" | "cut" | "refused";

interface Waiting {
  readonly place: string;
  readonly index: number;
  readonly text: string;
}

/** Leads every text through every place, each place in an order of its own, and knows what is still to come. */
export interface Rota {
  /** The next text of a place, behind a mark of its own. */
  next(place: string): string;
  /** What a place took in the end, by its mark: that text is done there. */
  took(text: string): void;
  /** A text of that place that no call may bring: nothing of it is shown, and it is done. */
  refuse(text: string, place: string): void;
  /** A mark that was shown. */
  shown(text: string): void;
  readonly places: ReadonlySet<string>;
  /** Texts that some place has not had yet, over all places; each counted once a place. */
  left(): number;
  readonly counts: Readonly<Record<Fit, number>> & { readonly shown: number };
  /** Places of which no text was shown by any tool or resource. */
  untold(): readonly string[];
}

interface Row {
  readonly done: Uint8Array;
  left: number;
  at: number;
  told: boolean;
}

export function rota(texts: readonly string[]): Rota {
  const rows = new Map<string, Row>();
  const waiting = new Map<string, Waiting>();
  const unseen = new Map<string, Row>();
  const counts = { whole: 0, cut: 0, refused: 0, shown: 0 };
  let marks = 0;

  const rowOf = (place: string): Row => {
    const known = rows.get(place);
    if (known) return known;
    // Prime to any number of texts that is not its multiple: neighbouring places start far apart.
    const at = (rows.size * 7919) % texts.length;
    const row = { done: new Uint8Array(texts.length), left: texts.length, at, told: false };
    rows.set(place, row);
    return row;
  };

  const took = (text: string): void => {
    const [mark = ""] = marksIn(text);
    const found = waiting.get(mark);
    if (!found) return;
    waiting.delete(mark);
    const row = rowOf(found.place);
    if (row.done[found.index] === 0) {
      row.done[found.index] = 1;
      row.left -= 1;
    }
    counts[text === found.text ? "whole" : text === mark ? "refused" : "cut"] += 1;
    unseen.set(mark, row);
  };

  return {
    next: (place) => {
      const row = rowOf(place);
      for (let tried = 0; tried < texts.length && row.done[row.at] === 1; tried += 1)
        row.at = (row.at + 1) % texts.length;
      const index = row.at;
      row.at = (row.at + 1) % texts.length;
      marks += 1;
      const mark = markOf(marks);
      const text = mark + (texts[index] ?? "");
      waiting.set(mark, { place, index, text });
      return text;
    },
    took,
    refuse: (text, place) => {
      const [mark = ""] = marksIn(text);
      if (waiting.get(mark)?.place === place) took(mark);
    },
    shown: (text) => {
      for (const mark of marksIn(text)) {
        const row = unseen.get(mark);
        if (!row) continue;
        unseen.delete(mark);
        row.told = true;
        counts.shown += 1;
      }
    },
    get places() {
      return new Set(rows.keys());
    },
    left: () => [...rows.values()].reduce((sum, row) => sum + row.left, 0),
    counts,
    untold: () => [...rows].filter(([, { told }]) => !told).map(([place]) => place),
  };
}
