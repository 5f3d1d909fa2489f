import { hiddenIn } from "../support/corpus.ts";
import type { Json } from "../support/payload.ts";
import { frames } from "./third-party.ts";

/** What is wrong with what a model was shown, counted; the first of each by where it was found. */
export interface Findings {
  shown: number;
  hidden: number;
  breakOuts: number;
  differs: number;
  outside: number;
  readonly where: string[];
}

export const freshFindings = (): Findings => ({
  shown: 0,
  hidden: 0,
  breakOuts: 0,
  differs: 0,
  outside: 0,
  where: [],
});

/** What a text begins with; no identifier, cursor or code of ours holds such a character. */
export const markOf = (serial: number): string => `¤${serial}¤`;

export const marksIn = (text: string): readonly string[] => text.match(/¤\d+¤/g) ?? [];

interface Found {
  readonly text: string;
  readonly path: readonly string[];
}

/** Every text of a value with its place: strings, and names of members as `{key}`. */
function* textsAt(value: unknown, path: readonly string[]): Generator<Found> {
  if (typeof value === "string") yield { text: value, path };
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (Array.isArray(value)) yield* textsAt(member, [...path, "[]"]);
    else {
      yield { text: key, path: [...path, "{key}"] };
      yield* textsAt(member, [...path, key]);
    }
  }
}

/** Declared places as segments: `data[].name` is data, [], name. */
const segmentsOf = (declared: string): string[] =>
  declared.replaceAll("[]", ".[]").split(".").filter(Boolean);

/** Whether a place is declared, or lies inside a declared JSON value. */
const isDeclared = (path: readonly string[], declared: readonly (readonly string[])[]): boolean =>
  declared.some(
    (place) =>
      place.length <= path.length &&
      place.every((segment, at) => segment === path[at] || (segment === "*" && path[at] !== "{key}")),
  );

/** Holds what a tool or resource showed against the places that may hold text of others. */
export function judgeShown(
  findings: Findings,
  what: string,
  shown: { readonly raw: string; readonly text: Json; readonly structured: Json | null },
  paths: readonly string[],
): void {
  const { raw, text, structured } = shown;
  const note = (problem: string): void => void findings.where.push(`${what}: ${problem}`);
  findings.shown += 1;
  if (frames.test(raw) || /[\n\r]/.test(raw)) {
    findings.breakOuts += 1;
    note("a frame character stands raw");
  }
  if (structured !== null && JSON.stringify(text) !== JSON.stringify(structured)) {
    findings.differs += 1;
    note("text and structured content differ");
  }
  const declared = paths.map(segmentsOf);
  for (const { text: found, path } of textsAt(text, [])) {
    if (hiddenIn(found).length > 0 || found.includes("![")) {
      findings.hidden += 1;
      note(`hidden characters or an image at ${path.join(".")}`);
    }
    if (marksIn(found).length > 0 && !isDeclared(path, declared)) {
      findings.outside += 1;
      note(`${marksIn(found).join(" ")} outside the declared places at ${path.join(".")}`);
    }
  }
}
