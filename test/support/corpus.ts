import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const line = z.object({ text: z.string() });

const folder = new URL("../../../shared/data/text/", import.meta.url);

/** True when the recorded texts are at hand; a test that needs them is skipped otherwise, and this says so. */
export const hasCorpus = existsSync(folder);
if (!hasCorpus)
  console.warn(`*** SKIPPED: no recorded texts at ${folder.pathname}: corpus tests do not run ***`);

/** The texts of one recorded file, in its order. */
export const corpus = (name: "third_party_text" | "benign_controls"): readonly string[] =>
  readFileSync(new URL(`${name}.jsonl`, folder), "utf8")
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => line.parse(JSON.parse(row)).text);

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
