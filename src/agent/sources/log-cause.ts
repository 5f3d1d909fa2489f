import { withoutAddresses } from "./without-addresses.ts";

/** Why a start failed, as its next lines say it. */
export interface StartCause {
  /** The rest of "Server could not start: …". */
  readonly why: string;
  /** The lines themselves, without stack frames and folders; null for none. */
  readonly detail: string | null;
}

/** The longest detail, characters: lists of mods are long, and their first lines tell. */
const longestDetail = 2000;
const mostLines = 60;
const mostMods = 3;

const frame = /^\s*(?:at [\w.$/<>@-]+\(|\.\.\. \d+ (?:more|common frames)|Suppressed: )/;
const uncaught = /^Exception in thread "[^"]{1,80}" /;
const decoration = /§[0-9a-fk-orx]/gi;
/** Folders contain names of people; the file's own name stays. */
const withoutFolders = (line: string): string =>
  line
    .split(/([\s'"(=:])/)
    .map((word) =>
      /^[\\/].*[\\/]/.test(word) ? (word.split(/[\\/]/).findLast((part) => part !== "") ?? "") : word,
    )
    .join("");

const cleaned = (line: string): string =>
  withoutAddresses(withoutFolders(line.replaceAll(decoration, ""))).trimEnd();

/** A kind of failure by its own words, whatever the server called it. */
const kinds: readonly (readonly [words: RegExp, why: string])[] = [
  [/Address already in use/, "its port is taken"],
  [
    /Cannot assign requested address|Can't assign requested address/,
    "the address to listen on (server-ip) is none of this machine",
  ],
  [
    /BindException: Permission denied|bind\(\.\.\) failed: Permission denied/,
    "its user may not use this port",
  ],
  [
    /DirectoryLock|session\.lock|already locked \(possibly by other/,
    "another server has its world open (session.lock)",
  ],
  [
    /saved (?:with|by|in) a? ?newer version|created by an incompatible version|from a newer version|future version|newer than this version/i,
    "its world was saved by a newer version of the game",
  ],
  [/UnsupportedClassVersionError/, "it needs a newer version of Java"],
  [/No space left on device/, "the disk is full"],
];

interface ModLine {
  /** What begins the part that `form` reads. */
  readonly from: string;
  readonly form: RegExp;
  readonly said: (found: readonly string[]) => string;
}

/** Lines of mod loaders that name a mod and what it lacks. */
const modLines: readonly ModLine[] = [
  {
    from: "Mod '",
    form: /^Mod '[^']{1,100}' \(([\w-]{1,64})\) (?:[^ ]{1,60} )?(requires .{1,200}|breaks .{1,200}|is incompatible with .{1,200}|conflicts with .{1,200})/,
    said: ([, id, rest]) => `${id} ${rest?.replace(/!$/, "")}`,
  },
  {
    from: "required mod: ",
    form: /^required mod: ([\w-]{1,64}) requires \{([\w-]{1,64}) @ \[([^\]]{1,80})\]/,
    said: ([, id, other, range]) => `${id} requires ${other} ${range}`,
  },
  {
    from: "Mod ID: '",
    form: /^Mod ID: '([\w-]{1,64})', Requested by: '([\w-]{1,64})', Expected range: '([^']{0,80})', Actual version: '([^']{0,80})'/,
    said: ([, id, by, range, actual]) =>
      `${by} requires ${id} ${range}, ${actual === "[MISSING]" ? "which is missing" : `not ${actual}`}`,
  },
  {
    from: "Mod ID: '",
    form: /^Mod ID: '([\w-]{1,64})' from mod files: (.{1,160})/,
    said: ([, id, files]) => `${id} is in ${files}`,
  },
  {
    from: "Mod File",
    form: /^Mod File:? ([^ ]{1,120}) (needs .{1,120}|is invalid.{0,80})/,
    said: ([, jar, rest]) => `${jar} ${rest}`,
  },
  {
    from: "Mod ",
    form: /^Mod ([\w-]{1,64}) (?:\([^)]{1,80}\) )?requires (.{1,200})/,
    said: ([, id, rest]) => `${id} requires ${rest}`,
  },
  {
    from: "Could not execute entrypoint stage '",
    form: /^Could not execute entrypoint stage '(\w{1,40})' due to errors, provided by '([\w-]{1,64})'/,
    said: ([, stage, id]) => `${id} failed in its entrypoint ${stage}`,
  },
  {
    from: "Found a duplicate mod ",
    form: /^Found a duplicate mod ([\w-]{1,64}) at /,
    said: ([, id]) => `${id} is there more than once`,
  },
  {
    from: "Wrong Minecraft version for ",
    form: /^Wrong Minecraft version for ([\w-]{1,64})/,
    said: ([, id]) => `${id} is for another version of the game`,
  },
  { from: "ModID: ", form: /^ModID: ([\w-]{1,64})/, said: ([, id]) => `${id} failed to load` },
  {
    from: " dispatch for modid ",
    form: /^ dispatch for modid ([\w-]{1,64})$/,
    said: ([, id]) => `${id} failed to load`,
  },
];

/** Words behind the id of a mod in brackets. */
const behindId = [") has failed to load correctly", ") encountered an error during "] as const;

function modIn(line: string): string | null {
  for (const { from, form, said } of modLines) {
    const at = line.indexOf(from);
    const found = at < 0 ? null : form.exec(line.slice(at, at + 700));
    if (found) return said(found);
  }
  for (const words of behindId) {
    const at = line.indexOf(words);
    const open = at < 0 ? -1 : line.lastIndexOf("(", at);
    if (open >= 0) return line.slice(open + 1, at) + line.slice(at + 1, at + 120);
  }
  return null;
}

/** An exception that only announces a list is no cause. */
const announcing = "Loading errors encountered:";
const thrown = /^(?:Caused by: )?((?:[\w$]{1,60}\.){1,12}[\w$]{1,80})(?:: .{0,2000})?$/;

function isThrown(line: string): boolean {
  const name = line.includes(announcing) ? undefined : thrown.exec(line)?.[1];
  return name !== undefined && /(?:Exception|Error|Throwable)$/.test(name);
}

const modsIn = (lines: readonly string[]): string[] => [
  ...new Set(lines.flatMap((line) => modIn(line) ?? [])),
];

/** Gathers the lines behind the words with which a server gave up. */
export class CauseLines {
  readonly #why: string;
  readonly #before: readonly string[];
  readonly #lines: string[] = [];
  #length = 0;

  /** `before`: errors of the same start, which name a mod where the later lines do not. */
  constructor(why: string, before: readonly string[] = []) {
    this.#why = why;
    this.#before = before;
  }

  take(line: string): void {
    if (this.#lines.length >= mostLines || this.#length >= longestDetail || frame.test(line)) return;
    const text = cleaned(line.replace(uncaught, ""));
    if (text.trim() === "") return;
    this.#lines.push(text);
    this.#length += text.length + 1;
  }

  get cause(): StartCause {
    const lines = this.#lines;
    const detail = lines.length === 0 ? null : lines.join("\n").slice(0, longestDetail);
    const kind = kinds.find(([words]) => lines.some((line) => words.test(line)));
    if (kind) return { why: kind[1], detail };
    const named = modsIn(lines);
    const mods = named.length > 0 ? named : modsIn(this.#before);
    if (mods.length > 0) {
      const more = mods.length > mostMods ? `, and ${mods.length - mostMods} more` : "";
      return { why: `${this.#why}: ${mods.slice(0, mostMods).join("; ")}${more}`, detail };
    }
    const first = lines.find((line) => isThrown(line.trim()));
    return { why: first === undefined ? this.#why : `${this.#why}: ${first.trim()}`, detail };
  }
}
