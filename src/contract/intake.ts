import { Refusal } from "../core/errors.ts";
import { histogramOf } from "../core/import/class-histogram.ts";
import { heapSummaryOfSpark } from "../core/import/spark-heap.ts";
import { profileOfSpark } from "../core/import/spark-profile.ts";
import type { MemoryDocument } from "../core/memory-report/document.ts";
import { headOf } from "../core/memory-report/show.ts";
import type { ProfileDocument } from "../core/profile/document.ts";
import { summarise } from "../core/profile/summary.ts";
import type { Context } from "./context.ts";
import type { FileIntake } from "./endpoint.ts";
import { isHeapDump } from "./heap-dump.ts";
import { takeFiles } from "./taken-file.ts";

type Intake = Pick<Context<unknown, never>, "stores" | "now" | "secrets" | "plans">;

/** The files that are taken for a profile, whoever sends them. */
export const profileFiles: FileIntake = takeFiles({ "application/x-spark-sampler": profileOfSpark });

/** The files that are taken for a report on the heap. */
export const memoryFiles: FileIntake = {
  ...takeFiles({
    "application/x-spark-heap": heapSummaryOfSpark,
    "text/x-java-class-histogram": histogramOf,
  }),
  inspect: refuseHeapDump,
};

/** A heap dump holds whatever the game server held: passwords, chats, addresses. */
function refuseHeapDump(bytes: Uint8Array): void {
  if (isHeapDump(bytes))
    throw new Refusal(
      "unsupported_media_type",
      "This is a heap dump, which is never taken. Send a class histogram, or an analysis of the dump.",
    );
}

/** Stores a server's profile, unless it is there already; either way answers its ids. */
export const takeProfile = (
  document: ProfileDocument,
  serverId: string,
  { stores, now, secrets, plans }: Intake,
) =>
  stores.profiles.insert(
    {
      id: secrets.newId(now),
      profileId: secrets.newId(now),
      serverId,
      uploadedAt: now,
      summary: summarise(document),
      document,
    },
    plans,
  );

/** Stores a report on a server's heap, unless it is there already; either way answers its id. */
export const takeMemoryReport = (
  document: MemoryDocument,
  serverId: string,
  { stores, now, secrets, plans }: Intake,
) =>
  stores.memoryReports.insert(
    { id: secrets.newId(now), serverId, uploadedAt: now, head: headOf(document), document },
    plans,
  );
