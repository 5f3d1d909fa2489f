/**
 * One sentence that a ban plugin writes, as `kind words`. In the words, `%b` is who did it, `%p` the player, `%a`
 * an address, `%t` for how long and `%r` why.
 */
export interface BanSentence {
  readonly plugin: string;
  readonly kind: string;
  readonly pattern: RegExp;
  /** The same with a rank in front of the first word; in chat this may be who says it. */
  readonly ranked: RegExp;
  /** How many characters are fixed: of several sentences that fit, the one with most is meant. */
  readonly fixed: number;
  /** Some three to five characters that each such message holds. */
  readonly key: string;
}

/** The parts of a message that a sentence names; those that it does not name are missing. */
export interface BanParts {
  readonly by?: string;
  readonly player?: string;
  readonly time?: string;
  readonly reason?: string;
}

/** Ranks stand in front of names; a colon or an arrow there shows that somebody said the rest. */
export const rank = String.raw`(?:[^\s:<>»]{1,24} ){0,3}?`;

/** A player's name as it is shown; not an address. */
export const playerName = String.raw`(?!\d{1,3}(?:\.\d{1,3}){3})[\w.*+~-]{0,39}[\w*+~-]`;
const slots: Readonly<Record<string, string>> = {
  // Consoles have names in every language.
  b: String.raw`${rank}(?<by>[\p{L}\p{M}\p{N}_.*+~-]{1,40})`,
  p: String.raw`${rank}(?<player>${playerName})`,
  a: String.raw`[\w.:*%/-]{1,60}`,
  t: String.raw`(?<time>.{1,80}?)`,
  r: String.raw`(?<reason>.{0,300}?)`,
};

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

export function banSentence(plugin: string, line: string): BanSentence {
  const [kind = ""] = line.split(" ", 1);
  const words = line.slice(kind.length + 1).replace(/[.。]$/, "");
  const parts = words.split(/(%[bpatr])/);
  const all = parts.map((part) => slots[part.startsWith("%") ? part.slice(1) : ""] ?? literal(part)).join("");
  const plain = all.startsWith(rank) ? all.slice(rank.length) : all;
  return {
    plugin,
    kind,
    pattern: new RegExp(String.raw`^${plain}[.。]?$`, "u"),
    ranked: new RegExp(String.raw`^${rank}${plain}[.。]?$`, "u"),
    fixed: words.replace(/%[bpatr]/g, "").length,
    key: keyOf(parts),
  };
}

const [shortestKey, longestKey] = [3, 5] as const;

/** Letters of the words between the slots that other text seldom has: foreign ones first, then rare ones. */
function keyOf(parts: readonly string[]): string {
  const all = parts
    .filter((part) => !part.startsWith("%") && part.length >= shortestKey)
    .flatMap((part) => {
      const length = Math.min(part.length, longestKey);
      return Array.from({ length: part.length - length + 1 }, (_, at) => part.slice(at, at + length));
    });
  const telling = all.filter((key) => !everyday.test(key));
  const [best] = (telling.length > 0 ? telling : all).toSorted((a, b) => rarity(b) - rarity(a));
  if (best === undefined) throw new Error(`Too little is fixed in the sentence ${parts.join("")}`);
  return best;
}

/** Parts of words that many lines of a log have. */
const everyday = /lay| for|or:/i;
/** Commonest first, as logs have them. */
const common = " etaoinrslcdmupgfhybv:.,wkxjqz";
export const rarity = (key: string): number =>
  Array.from(key).reduce((sum, character) => {
    const at = common.indexOf(character.toLowerCase());
    return sum + (at >= 0 ? at / common.length : 2);
  }, 0);
