import { sql } from "kysely";
import type { ChosenOffer } from "../../core/offer/records.ts";
import { bulk } from "../engine/bulk.ts";
import { type Work, one } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { providerTable, type offerTable } from "./tables.ts";

type OfferRow = Pick<RowOf<typeof offerTable>, (typeof offerColumns)[number]>;

const facts = [
  "provider_id",
  "name",
  "type",
  "cpu_name",
  "cpu_cores",
  "ram_gb",
  "disk_type",
  "disk_gb",
  "location",
  "price_eur_cents",
  "url",
] as const;
const offerColumns = ["id", ...facts, "updated_at"] as const;

const differs = (table: string, column: string) =>
  sql<boolean>`${sql.ref(`${table}.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`;

const anyOf = (conditions: readonly ReturnType<typeof differs>[]) =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** Returns the ids of written offers. An unchanged offer is not written, and keeps its time of change. */
export const saveOffers = bulk<OfferRow>(offerColumns)((db, rows) =>
  db
    .insertInto("offer")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) =>
          Object.fromEntries(
            [...facts, "updated_at" as const].map((name) => [name, eb.ref(`excluded.${name}`)]),
          ),
        )
        .where(anyOf(facts.map((name) => differs("offer", name)))),
    )
    .returning("id"),
);

export const saveProviders = bulk<RowOf<typeof providerTable>>(providerTable.columns)((db, rows) =>
  db
    .insertInto("provider")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({ name: eb.ref("excluded.name"), url: eb.ref("excluded.url") }))
        .where(anyOf([differs("provider", "name"), differs("provider", "url")])),
    )
    .returning("id"),
);

/** An offer shows its provider's name and address, so it changes with them. */
export const touchOffers = query<{ provider: string; now: number }>()((db, $) =>
  db.updateTable("offer").set({ updated_at: $.now }).where("provider_id", "=", $.provider),
);

export const countOffers = query<Record<string, never>>()((db) =>
  db.selectFrom("offer").select((eb) => eb.fn.countAll<number>().as("count")),
);

export const lockOfferById = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("offer").select(["id", "certified_report_id"]).where("id", "=", $.id)),
);

export const setOfferOfServer = query<{ server: string; offer: string | null }>()((db, $) =>
  db.updateTable("server").set({ offer_id: $.offer }).where("id", "=", $.server),
);

const findChosen = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("offer as o", "o.id", "s.offer_id")
    .innerJoin("provider as p", "p.id", "o.provider_id")
    .select(["o.id", "o.name", "p.name as provider"])
    .where("s.id", "=", $.server),
);

export const chosenOffer = (server: string): Work<ChosenOffer | null> => one(findChosen, { server });

export const lockUnexpiredReport = query<{ id: string; now: number }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db
      .selectFrom("report")
      .select(["id", "visibility"])
      .where("id", "=", $.id)
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", $.now)])),
  ),
);

export const setCertificate = query<{ id: string; report: string; now: number; until: number }>()((db, $) =>
  db
    .updateTable("offer")
    .set({ certified_report_id: $.report, certified_at: $.now, certificate_expires_at: $.until })
    .where("id", "=", $.id),
);

export const certifyReport = query<{ id: string; now: number; until: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ certified_at: $.now, certificate_expires_at: $.until, expires_at: null })
    .where("id", "=", $.id),
);

/** Ends a report's certificate, unless another offer still has a valid one on it. */
export const unlockReport = query<{ id: string; now: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ certificate_expires_at: $.now })
    .where("id", "=", $.id)
    .where("certificate_expires_at", ">", $.now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("offer as o")
            .select("o.id")
            .where("o.certified_report_id", "=", $.id)
            .where("o.certificate_expires_at", ">", $.now),
        ),
      ),
    ),
);

export const disputeOffer = query<{ id: string; at: number | null }>()((db, $) =>
  db.updateTable("offer").set({ disputed_at: $.at }).where("id", "=", $.id),
);
