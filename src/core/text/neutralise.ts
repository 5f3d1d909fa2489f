/** Counts of characters that were escaped, and of code points that were left out (`cut`). */
export interface Neutralised {
  readonly text: string;
  readonly escaped: number;
  readonly cut: number;
}

/** Totals over many texts; `truncated` counts the places where something was left out. */
export interface Tally {
  escaped: number;
  truncated: number;
}

/** A longer run of hidden characters is written once, with its count. */
const longestRun = 16;
/** The longest emoji sequence of Unicode joins four pictographs; the bound keeps one piece small. */
const longestEmoji = 8;

const zeroWidthJoiner = 0x200d;
const emojiSelector = 0xfe0f;
const keycap = "\ufe0f\u20e3";

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
const pictograph = /(?=\p{Emoji})\p{Extended_Pictographic}/u;
/** Characters whose escape depends on their neighbours: `![`, `\u{`, and text like the count of a run. */
const contextual = /[!\\*0-9]/;
const notPlain = /[^\t\n -~]|!\[|\\u\{/;

/** The three flags spelt with tag characters; any other tag sequence is hidden text. */
const taggedFlags = ["gbeng", "gbsct", "gbwls"].map((region) => {
  const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
  return `\u{1f3f4}${tags.join("")}\u{e007f}`;
});

const Kind = { ordinary: 0, hidden: 1, pictograph: 2, contextual: 3 };

const classify = (code: number): number => {
  if (code === 0x09 || code === 0x0a) return Kind.ordinary;
  const character = String.fromCodePoint(code);
  if (hidden.test(character)) return Kind.hidden;
  if (pictograph.test(character)) return Kind.pictograph;
  return contextual.test(character) ? Kind.contextual : Kind.ordinary;
};

/** Filled page by page, 256 code points each: one look-up a character instead of a regex. */
const pages: (Uint8Array | undefined)[] = [];

const kindOf = (code: number): number => {
  const index = code >> 8;
  const page = (pages[index] ??= Uint8Array.from({ length: 256 }, (_, low) => classify(index * 256 + low)));
  return page[code & 255] ?? Kind.ordinary;
};

/** Whether the code point is invisible where it stands alone. */
export const isHidden = (code: number): boolean => kindOf(code) === Kind.hidden;

const codeAt = (text: string, at: number): number => text.codePointAt(at) ?? 0;
const widthOf = (code: number): number => (code > 0xffff ? 2 : 1);

const codePointsBetween = (text: string, from: number, end: number): number => {
  let count = 0;
  for (let at = from; at < end; at += widthOf(codeAt(text, at))) count += 1;
  return count;
};

/** Includes its selector or skin tone; `at` if no pictograph stands there. */
const pictographEnd = (text: string, at: number): number => {
  const code = codeAt(text, at);
  if (kindOf(code) !== Kind.pictograph) return at;
  const end = at + widthOf(code);
  const next = codeAt(text, end);
  if (next === emojiSelector) return end + 1;
  return next >= 0x1f3fb && next <= 0x1f3ff ? end + 2 : end;
};

const emojiEnd = (text: string, at: number): number => {
  const flag = taggedFlags.find((candidate) => text.startsWith(candidate, at));
  if (flag !== undefined) return at + flag.length;
  let end = pictographEnd(text, at);
  for (let joined = 1; joined < longestEmoji && codeAt(text, end) === zeroWidthJoiner; joined += 1) {
    const next = pictographEnd(text, end + 1);
    if (next === end + 1) break;
    end = next;
  }
  return end;
};

/** A part of the text that is shown whole or not at all; unchanged if `escape` is empty. */
interface Piece {
  readonly end: number;
  readonly size: number;
  readonly escaped: number;
  readonly escape: string;
}

const asItStands = (text: string, at: number, end: number): Piece => {
  return { end, size: codePointsBetween(text, at, end), escaped: 0, escape: "" };
};

const written = (code: number): string => `\\u{${code.toString(16).toUpperCase()}}`;

const hiddenPiece = (text: string, at: number): Piece => {
  let end = at;
  let count = 0;
  while (end < text.length) {
    const code = codeAt(text, end);
    if (kindOf(code) !== Kind.hidden) break;
    end += widthOf(code);
    count += 1;
  }
  const first = codeAt(text, at);
  const isLong = count > longestRun;
  const escape = isLong ? `${written(first)}*${count}` : written(first);
  return {
    end: isLong ? end : at + widthOf(first),
    size: escape.length,
    escaped: isLong ? count : 1,
    escape,
  };
};

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= "0" && character <= "9";

/** `tail`: the last character of an escape directly before `at`, or empty. */
const needsEscape = (text: string, at: number, tail: string): boolean => {
  const character = text[at];
  if (character === "!") return text[at + 1] === "[";
  if (character === "\\") return text.startsWith("u{", at + 1);
  // Otherwise "*17" or digits after an escape would look like the count of a run.
  if (character === "*") return tail === "}" && isDigit(text[at + 1]);
  return isDigit(tail);
};

const pieceAt = (text: string, at: number, tail: string): Piece => {
  const code = codeAt(text, at);
  const kind = kindOf(code);
  if (kind === Kind.pictograph) return asItStands(text, at, emojiEnd(text, at));
  if (kind === Kind.contextual) {
    const escape = written(code);
    return { end: at + 1, size: escape.length, escaped: 1, escape };
  }
  const endsKeycap = text.startsWith(keycap, at) && tail === "" && /[0-9#*]/.test(text[at - 1] ?? "");
  return endsKeycap ? asItStands(text, at, at + keycap.length) : hiddenPiece(text, at);
};

/**
 * Hidden and control characters, `![` and a literal `\u{` become `\u{HEX}`, a long run of hidden characters
 * `\u{FIRST}*COUNT`; LF, TAB and emoji stay. At most `cap` code points are shown, then `…[+N characters]`
 * gives the number of code points of the original that are left out (`cut`).
 */
export const neutralise = (text: string, cap: number): Neutralised => {
  if (text.length <= cap && !notPlain.test(text)) return { text, escaped: 0, cut: 0 };
  let out = "";
  let [at, from, shown, escaped] = [0, 0, 0, 0];
  let tail = "";
  while (at < text.length && shown < cap) {
    const code = codeAt(text, at);
    const kind = kindOf(code);
    const before = from === at ? tail : "";
    // Digits are half of a page with a drawing, so they take this fast path.
    if (kind === Kind.ordinary || (kind === Kind.contextual && !needsEscape(text, at, before))) {
      at += widthOf(code);
      shown += 1;
      continue;
    }
    const piece = pieceAt(text, at, before);
    if (shown + piece.size > cap) break;
    if (piece.escape !== "") {
      out += text.slice(from, at) + piece.escape;
      from = piece.end;
      tail = piece.escape.slice(-1);
      escaped += piece.escaped;
    }
    shown += piece.size;
    at = piece.end;
  }
  if (at >= text.length) return { text: from === 0 ? text : out + text.slice(from), escaped, cut: 0 };
  const cut = codePointsBetween(text, at, text.length);
  return { text: `${out}${text.slice(from, at)}…[+${cut} characters]`, escaped, cut };
};

/** Adds the counts to `tally`, and returns the text alone. */
export const neutraliseInto = (tally: Tally, text: string, cap: number): string => {
  if (text.length <= cap && !notPlain.test(text)) return text;
  const done = neutralise(text, cap);
  tally.escaped += done.escaped;
  if (done.cut > 0) tally.truncated += 1;
  return done.text;
};

/** The original text, if nothing in it was cut or collapsed. */
export const restore = (text: string): string =>
  text.replace(/\\u\{([0-9A-F]{1,6})\}/g, (escape, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code > 0x10ffff ? escape : String.fromCodePoint(code);
  });
