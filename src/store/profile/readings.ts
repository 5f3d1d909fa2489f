import { memoryReadingVersion } from "../../core/memory-report/reading-version.ts";
import { profileReadingVersion } from "../../core/profile/reading-version.ts";
import type { ProfileReadings } from "../../core/profile/records.ts";
import { type Work, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { memoryReadingTable } from "../memory-report/tables.ts";
import { profileReadingTable } from "./tables.ts";

interface Asked extends Record<string, string | number> {
  readonly id: string;
  readonly version: number;
}

const detail = query<Asked>()((db, $) =>
  db
    .selectFrom("profile_reading")
    .select("detail as reading")
    .where("profile_id", "=", $.id)
    .where("version", "=", $.version),
);
const flameGraph = query<Asked>()((db, $) =>
  db
    .selectFrom("profile_reading")
    .select("flame_graph as reading")
    .where("profile_id", "=", $.id)
    .where("version", "=", $.version),
);
const diagnosis = query<Asked>()((db, $) =>
  db
    .selectFrom("memory_reading")
    .select("diagnosis as reading")
    .where("report_id", "=", $.id)
    .where("version", "=", $.version),
);

const keepOfProfile = query<RowOf<typeof profileReadingTable>>()((db, $) =>
  db
    .insertInto("profile_reading")
    .values(placesOf(profileReadingTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("profile_id").doUpdateSet({
        version: (row) => row.ref("excluded.version"),
        detail: (row) => row.ref("excluded.detail"),
        flame_graph: (row) => row.ref("excluded.flame_graph"),
      }),
    ),
);
const keepOfReport = query<RowOf<typeof memoryReadingTable>>()((db, $) =>
  db
    .insertInto("memory_reading")
    .values(placesOf(memoryReadingTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("report_id").doUpdateSet({
        version: (row) => row.ref("excluded.version"),
        diagnosis: (row) => row.ref("excluded.diagnosis"),
      }),
    ),
);

const profileKept = query<{ id: string }>()((db, $) =>
  db.selectFrom("profile_document").select("id").where("id", "=", $.id),
);
const reportKept = query<{ id: string }>()((db, $) =>
  db.selectFrom("memory_report").select("id").where("id", "=", $.id),
);

type Reading = Work<Uint8Array | null>;

export function* profileReading(kind: keyof ProfileReadings, id: string): Reading {
  const stored = kind === "detail" ? detail : flameGraph;
  return (yield* one(stored, { id, version: profileReadingVersion }))?.reading ?? null;
}

export function* memoryReading(id: string): Reading {
  return (yield* one(diagnosis, { id, version: memoryReadingVersion }))?.reading ?? null;
}

type Kept = Work<void>;

/** Replaces readings of another version. The document must exist. */
export function* storeProfileReadings(id: string, readings: ProfileReadings): Kept {
  yield* run(keepOfProfile, {
    profile_id: id,
    version: profileReadingVersion,
    detail: readings.detail,
    flame_graph: readings.flameGraph,
  });
}

export function* storeMemoryReading(id: string, packed: Uint8Array): Kept {
  yield* run(keepOfReport, { report_id: id, version: memoryReadingVersion, diagnosis: packed });
}

/** As `storeProfileReadings`, but does nothing if the document was deleted meanwhile. */
export function* keepProfileReadings(id: string, readings: ProfileReadings): Kept {
  if (yield* one(profileKept, { id })) yield* storeProfileReadings(id, readings);
}

export function* keepMemoryReading(id: string, packed: Uint8Array): Kept {
  if (yield* one(reportKept, { id })) yield* storeMemoryReading(id, packed);
}
