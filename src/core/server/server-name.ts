import { isFullId } from "../id-form.ts";
import { nearestNames } from "../nearest-name.ts";
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

/** The first letters of an id stand for it from so many on, if no other id of the account begins like that. */
const idBeginning = /^[0-9a-f][0-9a-f-]{7,}$/u;

/**
 * By full id, else by name (in any case, without spaces around it, as stored or as shown with hidden characters
 * made visible), else by the beginning of an id.
 */
export function serversMeant<T extends Named>(servers: readonly T[], text: string): readonly T[] {
  const sent = text.trim();
  if (sent === "" || sent.length > longestName) return [];
  if (isFullId(sent)) return servers.filter(({ id }) => id === sent);
  const wanted = new Set([sent, shown(sent), shown(text)].map(nameKey));
  const named = servers.filter(({ name }) => name !== null && wanted.has(nameKey(shown(name))));
  if (named.length > 0 || !idBeginning.test(sent)) return named;
  const begun = servers.filter(({ id }) => id.startsWith(sent));
  return begun.length === 1 ? begun : [];
}

const nameKey = (text: string): string => folded(text.trim());

/** At most so many servers are proposed, and names of so many letters and servers compared: 20 ms. */
const mostProposed = 3;
const longestCompared = 40;
const mostCompared = 2000;

/** Servers whose names are near the text, the nearest first. */
export function serversNear<T extends Named>(servers: readonly T[], text: string): readonly T[] {
  const wanted = nameKey(shown(text));
  if (wanted === "" || wanted.length > longestCompared) return [];
  const byName = new Map<string, T>();
  for (const server of servers.slice(0, mostCompared))
    if (server.name !== null) byName.set(nameKey(shown(server.name)), server);
  const near = nearestNames(wanted, [...byName.keys()]);
  return near.slice(0, mostProposed).flatMap((name) => byName.get(name) ?? []);
}
