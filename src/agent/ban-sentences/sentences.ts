import { essentialsxBgToKo } from "./essentialsx-bg-ko.ts";
import { essentialsxLoToZh } from "./essentialsx-lo-zh.ts";
import { libertyBans } from "./libertybans.ts";
import { banSentence, rarity, type BanParts, type BanSentence } from "./sentence.ts";

const sentencesOf = (plugin: string, byLanguage: Readonly<Record<string, string>>): readonly BanSentence[] =>
  Object.values(byLanguage).flatMap((lines) =>
    lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => banSentence(plugin, line)),
  );

/** Part of each English message about an act; that of a sentence is its key. */
const englishKeys = ["nned", "icked", "muted"] as const;

/** What a key stands for: a sentence, or null for any English message. */
interface Cue {
  readonly key: string;
  readonly sentence: BanSentence | null;
}
const cues: readonly Cue[] = [
  ...sentencesOf("Essentials", { ...essentialsxBgToKo, ...essentialsxLoToZh }),
  ...sentencesOf("LibertyBans", libertyBans),
]
  .map((sentence): Cue => ({ key: sentence.key, sentence }))
  .concat(englishKeys.map((key) => ({ key, sentence: null })));

/** The rarest three characters of a key: a message without them is none of its messages. */
function markPlace(key: string): number {
  const places = Array.from({ length: key.length - 2 }, (_, at) => at);
  const rarityAt = (at: number): number => rarity(key.slice(at, at + 3));
  return places.reduce((best, at) => (rarityAt(at) > rarityAt(best) ? at : best), 0);
}

/** By those three characters; `place` is where they are in the key. */
const byMark = new Map<string, (Cue & { readonly place: number })[]>();
for (const cue of cues) {
  const place = markPlace(cue.key);
  const mark = cue.key.slice(place, place + 3);
  byMark.set(mark, [...(byMark.get(mark) ?? []), { ...cue, place }]);
}

/** True for each mark, and by chance for some other text: most messages have none, and are looked at no further. */
const marks = new Uint8Array(1 << 16);
const hashOf = (first: number, second: number, third: number): number =>
  (first * 1021 + second * 67 + third) & 0xffff;
for (const mark of byMark.keys())
  marks[hashOf(mark.charCodeAt(0), mark.charCodeAt(1), mark.charCodeAt(2))] = 1;

/** The first mark at or behind this place; -1 if there is none. */
function markBehind(message: string, from: number): number {
  let [first, second] = [message.charCodeAt(from), message.charCodeAt(from + 1)];
  for (let at = from + 2; at < message.length; at += 1) {
    const third = message.charCodeAt(at);
    if (marks[hashOf(first, second, third)] === 1) return at - 2;
    first = second;
    second = third;
  }
  return -1;
}

/** Longer messages are none of these, characters. */
const longestMessage = 600;

/** What a message may say, by the keys in it. */
export interface BanCues {
  readonly isEnglish: boolean;
  readonly sentences: ReadonlySet<BanSentence>;
}

/** Null for most messages: they are none of an act. */
export function banCues(message: string): BanCues | null {
  let [isEnglish, sentences]: [boolean, Set<BanSentence> | null] = [false, null];
  for (let at = markBehind(message, 0); at >= 0; at = markBehind(message, at + 1))
    for (const { key, sentence, place } of byMark.get(message.slice(at, at + 3)) ?? []) {
      if (at < place || !message.startsWith(key, at - place)) continue;
      if (sentence === null) isEnglish = true;
      else sentences = (sentences ?? new Set()).add(sentence);
    }
  const known = message.length > longestMessage ? null : sentences;
  return isEnglish || known ? { isEnglish, sentences: known ?? new Set() } : null;
}

export interface SaidBySentence {
  readonly kind: string;
  readonly parts: BanParts;
}

/**
 * `plugin`: the one that names itself in front, whose sentences alone are meant; null for none. `mayBeRanked`: a
 * rank may stand in front, since nobody but the plugin begins a line like this.
 */
export function saidBySentence(
  message: string,
  { sentences }: BanCues,
  plugin: string | null,
  mayBeRanked: boolean,
): SaidBySentence | null {
  let [fixed, said]: [number, SaidBySentence | null] = [0, null];
  for (const sentence of sentences) {
    if (sentence.fixed <= fixed || (plugin !== null && plugin !== sentence.plugin)) continue;
    const found = (mayBeRanked ? sentence.ranked : sentence.pattern).exec(message);
    if (found) [fixed, said] = [sentence.fixed, { kind: sentence.kind, parts: found.groups ?? {} }];
  }
  return said;
}
