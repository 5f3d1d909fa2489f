import type { DetailBody } from "../../core/profile/profile-detail.ts";
import type { FlameGraph } from "../../core/profile/flame-graph.ts";
import type { Context } from "../call/context.ts";

type Reading = Pick<Context<unknown, never>, "stores" | "readDocuments">;

interface Readings {
  readonly detail: DetailBody;
  readonly flameGraph: FlameGraph;
}

/** What was worked out of a stored profile when it was uploaded; null where its document cannot be read. */
export async function readingOf<Kind extends keyof Readings>(
  kind: Kind,
  profileId: string,
  { stores: { profiles }, readDocuments }: Reading,
): Promise<Readings[Kind] | null> {
  const read: { readonly [K in keyof Readings]: (id: string) => Promise<Readings[K] | null> } = profiles;
  const stored = await read[kind](profileId);
  if (stored !== null) return stored;
  const document = await profiles.document(profileId);
  const made = document && (await readDocuments("profileReadings", document));
  if (made === null) return null;
  // Whether it can be kept changes nothing for the reader: the next one has it worked out again.
  await profiles.keepReadings(profileId, made.packed).catch(() => {});
  return made[kind];
}

/** The detail with methods and stacks of one owner, who may be any of thousands: worked out when it is asked for. */
export async function detailOfOwner(
  profileId: string,
  owner: string,
  { stores: { profiles }, readDocuments }: Reading,
): Promise<DetailBody | null> {
  const document = await profiles.document(profileId);
  return document && readDocuments("profileOfOwner", { document, owner });
}
