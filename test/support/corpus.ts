import { readFileSync } from "node:fs";
import { z } from "zod";
import { isLong } from "./long.ts";
import { sharedData } from "./shared-data.ts";

const line = z.object({ text: z.string() });

const files = {
  third_party_text: sharedData("text/third_party_text.jsonl"),
  benign_controls: sharedData("text/benign_controls.jsonl"),
};

/** True when the recorded texts are at hand; a test that needs them is skipped otherwise. */
export const hasCorpus = Object.values(files).every((file) => file !== null);

/** The texts of one recorded file, in its order. */
export const corpus = (name: keyof typeof files): readonly string[] =>
  readFileSync(files[name] ?? "", "utf8")
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => line.parse(JSON.parse(row)).text);

/** The suites that lead the recorded attacks through one kind of text each. */
const leaders = [
  "captures",
  "chat",
  "descriptions",
  "events",
  "mail",
  "names",
  "read-back",
  "reasons",
  "unit-tests",
] as const;

/** A suite leads that share of its texts in the usual run. */
const share = 3;

/**
 * The recorded attacks that one suite leads: some of them in the usual run, other ones than the other suites. The gate
 * that goes through all ingest fields leads every text in every run; `npm run test:long` leads every text through every
 * suite.
 */
export const attacksFor = (leader: (typeof leaders)[number]): readonly string[] => {
  const all = corpus("third_party_text");
  if (isLong) return all;
  const turn = leaders.indexOf(leader);
  return all.filter((_, index) => index % (leaders.length * share) === turn);
};

/** Whether a field of that many code points keeps the text: no store holds U+0000 or half a surrogate pair. */
export const fits = (text: string, max: number): boolean =>
  [...text].length <= max && text.isWellFormed() && !text.includes("\u0000");

const element = String.raw`(?=\p{Emoji})\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?`;
const tagFlag = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
const emoji = new RegExp(String.raw`${tagFlag}|[0-9#*]\uFE0F\u20E3|${element}(?:\u200D${element})*`, "gu");

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The characters a reader cannot see, but line feeds, tabs and the joints of emoji: found a second way. */
export const hiddenIn = (text: string): readonly string[] =>
  (text.replace(emoji, "").match(hidden) ?? []).filter(
    (character) => character !== "\n" && character !== "\t",
  );

/** A text whose hidden characters stand in runs short enough to be written one by one. */
export const isUncollapsed = (text: string): boolean =>
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]{17}/u.test(text);
