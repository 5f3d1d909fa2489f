import { isFullId } from "../id-form.ts";
import { neutralise } from "../text/neutralise.ts";
import { nameCap } from "../text/escape-plan.ts";

/** Something as people know it: its identifier and its name. */
export interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** The longest text that is compared with names, characters: a name of 80 that is all escapes when it is shown. */
const longestName = 1000;

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
const shown = (text: string): string => neutralise(text, nameCap).text;

/**
 * The servers that somebody means by `text`: the one with that identifier, else those with that name, whatever the
 * case of its letters, as it is stored or as it is shown with nothing hidden in it.
 */
export function serversMeant<T extends Named>(servers: readonly T[], text: string): readonly T[] {
  if (text === "" || text.length > longestName) return [];
  if (isFullId(text)) return servers.filter(({ id }) => id === text);
  const wanted = new Set([folded(text), folded(shown(text))]);
  return servers.filter(({ name }) => name !== null && wanted.has(folded(shown(name))));
}
