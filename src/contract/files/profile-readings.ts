import type { Database } from "../../store/engine/database.ts";
import { readFlameGraph, readProfileDetail, selectProfileDocument } from "../../store/profile/profiles.ts";
import { keepProfileReadings } from "../../store/profile/readings.ts";
import type { DetailBody } from "../../core/profile/profile-detail.ts";
import type { FlameGraph } from "../../core/profile/flame-graph.ts";
import type { FlameTree } from "../../core/profile/flame-tree.ts";
import type { Context } from "../call/context.ts";

type Reading = Pick<Context<unknown, never>, "db" | "readDocuments">;

interface Readings {
  readonly detail: DetailBody;
  readonly flameGraph: FlameGraph;
}

const readReading: {
  readonly [K in keyof Readings]: (db: Database, id: string) => Promise<Readings[K] | null>;
} = {
  detail: readProfileDetail,
  flameGraph: readFlameGraph,
};

/** What was worked out of a stored profile when it was uploaded; null where its document cannot be read. */
export async function readingOf<Kind extends keyof Readings>(
  kind: Kind,
  profileId: string,
  { db, readDocuments }: Reading,
): Promise<Readings[Kind] | null> {
  const stored = await readReading[kind](db, profileId);
  if (stored !== null) return stored;
  const document = await db.read(selectProfileDocument, profileId);
  const made = document && (await readDocuments("profileReadings", document));
  if (made === null) return null;
  // Whether it can be kept changes nothing for the reader: the next one has it worked out again.
  await db.writeRelaxed(keepProfileReadings, profileId, made.packed).catch(() => {});
  return made[kind];
}

/** All calls of a profile, for the script of its page. Computed when it is requested: most pages are not opened twice. */
export async function flameTreeOfProfile(
  profileId: string,
  { db, readDocuments }: Reading,
): Promise<FlameTree | null> {
  const document = await db.read(selectProfileDocument, profileId);
  return document && readDocuments("flameTree", document);
}

/** The detail with methods and stacks of one owner, who may be any of thousands: worked out when it is asked for. */
export async function detailOfOwner(
  profileId: string,
  owner: string,
  { db, readDocuments }: Reading,
): Promise<DetailBody | null> {
  const document = await db.read(selectProfileDocument, profileId);
  return document && readDocuments("profileOfOwner", { document, owner });
}
