import { corpus, fits } from "./corpus.ts";
import { reportedStrings } from "./hostile-names.ts";

/** Where the texts of a scene come from; no two are alike, so that nothing is grouped that was not before. */
export interface Words {
  /** What a plugin or program may send: any characters. */
  text(max: number): string;
  /** What a person or token may type: no control characters. */
  name(max: number): string;
}

/** A number in letters: a text that tells it is read as no version and no figure. */
const letters = (serial: number): string =>
  String(serial).replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");

const cut = (text: string, max: number): string => [...text].slice(0, max).join("");

// eslint-disable-next-line no-control-regex
const untyped = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Words that nobody could take for anything else. */
export function plainWords(): Words {
  let serial = 0;
  const text = (max: number): string => cut(`plain words ${letters((serial += 1))}`, max);
  return { text, name: text };
}

const markup = [
  '<img src=x onerror="alert(1)">',
  "</title></textarea></style></script><script>alert(1)</script>",
  "'\"><svg/onload=alert(1)>",
  "<a href=javascript:alert(1)>x</a>",
  "</td></tr></table><h1>x</h1>",
  "javascript:alert(1)//",
  "<!-- --!> <![CDATA[ ]]>",
  "&lt;b&gt;&#60;i&#62;",
  "{{7*7}}${7*7}<%= 7*7 %>",
  "<iframe src=//evil.example>",
];

/** What reported names try: each again and again, told apart at its end. */
export function hostileWords(): Words {
  const hostile = [...markup, ...reportedStrings];
  let serial = 0;
  const text = (max: number): string => {
    serial += 1;
    const mark = ` ${letters(serial)}`;
    return cut(hostile[serial % hostile.length] ?? "", max - mark.length) + mark;
  };
  return { text, name: (max) => text(max).replaceAll(untyped, "") };
}

/** Every recorded text once, as many at a time as the place takes; what no place takes is left. */
export function recordedWords(): Words & { readonly left: readonly string[] } {
  const otherwise = hostileWords();
  const left = new Set([...corpus("third_party_text"), ...corpus("benign_controls")]);
  const next = (max: number, isTaken: (text: string) => boolean): string | null => {
    let joined: string | null = null;
    for (const text of left) {
      const longer: string = joined === null ? text : `${joined}\n${text}`;
      if (!isTaken(text) || !fits(longer, max)) continue;
      left.delete(text);
      joined = longer;
      // Another line would not fit either, or nearly so.
      if (longer.length > max * 0.8) break;
    }
    return joined;
  };
  return {
    get left() {
      return [...left];
    },
    text: (max) => next(max, () => true) ?? otherwise.text(max),
    name: (max) =>
      next(max, (text) => text.trim() !== "" && text.search(untyped) === -1) ?? otherwise.name(max),
  };
}
