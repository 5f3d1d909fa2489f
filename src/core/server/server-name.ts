import { isFullId } from "../id-form.ts";
import { neutralise } from "../text/neutralise.ts";
import { nameCap } from "../text/escape-plan.ts";

export interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** Characters: a name of 80 characters may be shown as escapes alone. */
const longestName = 1000;

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
const shown = (text: string): string => neutralise(text, nameCap).text;

/** By full id, else by name: in any case, as stored or as shown with hidden characters made visible. */
export function serversMeant<T extends Named>(servers: readonly T[], text: string): readonly T[] {
  if (text === "" || text.length > longestName) return [];
  if (isFullId(text)) return servers.filter(({ id }) => id === text);
  const wanted = new Set([folded(text), folded(shown(text))]);
  return servers.filter(({ name }) => name !== null && wanted.has(folded(shown(name))));
}
