import { readFileSync } from "node:fs";

/** The names of the clients in the guide, in its order. */
export const clientEntryNames = (): string[] =>
  [...readFileSync("resources/guides/clients.md", "utf8").matchAll(/^## (.+)$/gm)].map(
    ([, name = ""]) => name,
  );
