const modes: Readonly<Record<string, string>> = {
  live: "class histogram, live objects",
  all: "class histogram, garbage counted",
  quick: "quick analysis of a dump",
  full: "full analysis of a dump",
  retained: "analysis of what one plugin retains",
};

const kinds: Readonly<Record<string, string>> = {
  "heap-summary": "class histogram",
  "heap-analysis": "analysis of a dump",
};

/** An unknown mode is shown as it is. */
export function kindInWords(kind: string, mode: string | null): string {
  const general = kinds[kind] ?? kind;
  return mode === null ? general : (modes[mode] ?? `${general}, ${mode}`);
}
