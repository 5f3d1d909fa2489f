import { essentialsxBgToKo } from "./essentialsx-bg-ko.ts";
import { essentialsxLoToZh } from "./essentialsx-lo-zh.ts";
import { libertyBans } from "./libertybans.ts";
import { banSentence, type BanParts, type BanSentence } from "./sentence.ts";

const sentences: readonly BanSentence[] = [essentialsxBgToKo, essentialsxLoToZh, libertyBans].flatMap(
  (byLanguage) =>
    Object.values(byLanguage).flatMap((lines) =>
      lines
        .split("\n")
        .filter((line) => line !== "")
        .map(banSentence),
    ),
);

/** By the first three characters of their keys. */
const byKey = new Map<string, BanSentence[]>();
for (const sentence of sentences) {
  const start = sentence.key.slice(0, 3);
  byKey.set(start, [...(byKey.get(start) ?? []), sentence]);
}

/** A mark for each key: most messages have none, and are looked at no further. */
const marks = new Uint8Array(1 << 16);
const markOf = (first: number, second: number, third: number): number =>
  (first * 961 + second * 31 + third) & 0xffff;
for (const key of byKey.keys()) marks[markOf(key.charCodeAt(0), key.charCodeAt(1), key.charCodeAt(2))] = 1;

/** The first key at or behind this place; -1 if none may be there. */
function markBehind(message: string, from: number): number {
  let [first, second] = [message.charCodeAt(from), message.charCodeAt(from + 1)];
  for (let at = from; at + 2 < message.length; at += 1) {
    const third = message.charCodeAt(at + 2);
    if (marks[markOf(first, second, third)] === 1) return at;
    first = second;
    second = third;
  }
  return -1;
}

/** Longer messages are none of these, characters. */
const longestMessage = 600;

export interface SaidBySentence {
  readonly kind: string;
  readonly parts: BanParts;
}

/** `mayBeRanked`: a rank may stand in front, since nobody but the plugin begins a line like this. */
export function saidBySentence(message: string, mayBeRanked: boolean): SaidBySentence | null {
  if (message.length > longestMessage) return null;
  let [fixed, said]: [number, SaidBySentence | null] = [0, null];
  for (let at = markBehind(message, 0); at >= 0; at = markBehind(message, at + 1)) {
    for (const sentence of byKey.get(message.slice(at, at + 3)) ?? []) {
      if (sentence.fixed <= fixed || !message.startsWith(sentence.key, at)) continue;
      const found = (mayBeRanked ? sentence.ranked : sentence.pattern).exec(message);
      if (found) [fixed, said] = [sentence.fixed, { kind: sentence.kind, parts: found.groups ?? {} }];
    }
  }
  return said;
}
