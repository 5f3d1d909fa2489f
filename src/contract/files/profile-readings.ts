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

/** The detail or flame graph of a profile, stored or made anew; null if its document cannot be read. */
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
  // If this fails, the next reader computes it again.
  await db.writeRelaxed(keepProfileReadings, profileId, made.packed).catch(() => {});
  return made[kind];
}

/** All calls of a profile, for the script of its page. Not stored, because most pages are opened once. */
export async function flameTreeOfProfile(
  profileId: string,
  { db, readDocuments }: Reading,
): Promise<FlameTree | null> {
  const document = await db.read(selectProfileDocument, profileId);
  return document && readDocuments("flameTree", document);
}

/** Not stored, because a profile can have thousands of owners. */
export async function detailOfOwner(
  profileId: string,
  owner: string,
  { db, readDocuments }: Reading,
): Promise<DetailBody | null> {
  const document = await db.read(selectProfileDocument, profileId);
  return document && readDocuments("profileOfOwner", { document, owner });
}
