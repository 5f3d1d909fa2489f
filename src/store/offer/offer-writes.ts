import { sql } from "kysely";
import type { ListedOffer } from "../../core/offer/listed-offer.ts";
import { certificateMs } from "../../core/offer/offer.ts";
import type { Certified, ChosenOffer, ImportedOffers } from "../../core/offer/records.ts";
import type { Instant } from "../../core/time.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
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

/** The column as it stands and as it would be written. */
const differs = (table: string, column: string) =>
  sql<boolean>`${sql.ref(`${table}.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`;

const anyOf = (conditions: readonly ReturnType<typeof differs>[]) =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** What is imported again as it was is not written, and keeps the time it was changed; answers what was. */
const saveOffers = bulk<OfferRow>(offerColumns)((db, rows) =>
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

const saveProviders = bulk<RowOf<typeof providerTable>>(providerTable.columns)((db, rows) =>
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

/** Every offer shows its provider's name and address, and changes with them. */
const touchOffers = query<{ provider: string; now: number }>()((db, $) =>
  db.updateTable("offer").set({ updated_at: $.now }).where("provider_id", "=", $.provider),
);

const countOffers = query<Record<string, never>>()((db) =>
  db.selectFrom("offer").select((eb) => eb.fn.countAll<number>().as("count")),
);

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : Number(a.id > b.id));

export function* saveImportedOffers(
  offers: readonly ListedOffer[],
  now: Instant,
): Generator<Step, ImportedOffers, Result> {
  const providers = new Map(offers.map(({ provider }) => [provider.id, provider]));
  const before = Number((yield* one(countOffers, {}))?.count ?? 0);
  // In one order, so that two imports never wait for each other in a circle.
  const { returned: savedProviders } = yield* insertAll(
    saveProviders,
    [...providers.values()].toSorted(byId),
  );
  const changedProviders = new Set(savedProviders.map(({ id }) => id));
  for (const provider of changedProviders) yield* run(touchOffers, { provider, now });
  const rows = offers.map(({ provider, billing_period: _always, ...offer }) => ({
    ...offer,
    provider_id: provider.id,
    updated_at: now,
  }));
  const { returned: savedOffers } = yield* insertAll(saveOffers, rows.toSorted(byId));
  const saved = new Set(savedOffers.map(({ id }) => id));
  const changed = offers.filter(({ id, provider }) => saved.has(id) || changedProviders.has(provider.id));
  const created = Number((yield* one(countOffers, {}))?.count ?? 0) - before;
  return { created, updated: changed.length - created, unchanged: offers.length - changed.length };
}

const findOffer = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("offer").select(["id", "certified_report_id"]).where("id", "=", $.id)),
);

const setOffer = query<{ server: string; offer: string | null }>()((db, $) =>
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

export const chosenOffer = (server: string): Generator<Step, ChosenOffer | null, Result> =>
  one(findChosen, { server });

export function* saveChosenOffer(server: string, offer: string | null): Generator<Step, boolean, Result> {
  if (offer !== null && (yield* one(findOffer, { id: offer })) === null) return false;
  yield* run(setOffer, { server, offer });
  return true;
}

const findReport = query<{ id: string; now: number }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db
      .selectFrom("report")
      .select(["id", "visibility"])
      .where("id", "=", $.id)
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", $.now)])),
  ),
);

const certifyOffer = query<{ id: string; report: string; now: number; until: number }>()((db, $) =>
  db
    .updateTable("offer")
    .set({ certified_report_id: $.report, certified_at: $.now, certificate_expires_at: $.until })
    .where("id", "=", $.id),
);

const certifyReport = query<{ id: string; now: number; until: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ certified_at: $.now, certificate_expires_at: $.until, expires_at: null })
    .where("id", "=", $.id),
);

/** A report that no other offer holds a certificate on. */
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

export function* certifyFor(offer: string, report: string, now: Instant): Generator<Step, Certified, Result> {
  const held = yield* one(findOffer, { id: offer });
  if (!held) return "no_offer";
  const found = yield* one(findReport, { id: report, now });
  if (!found) return "no_report";
  if (found.visibility === "private") return "private_report";
  const until = now + certificateMs;
  yield* run(certifyOffer, { id: offer, report, now, until });
  yield* run(certifyReport, { id: report, now, until });
  const earlier = held.certified_report_id;
  if (earlier !== null && earlier !== report) yield* run(unlockReport, { id: earlier, now });
  return "certified";
}

export const disputeOffer = query<{ id: string; at: number | null }>()((db, $) =>
  db.updateTable("offer").set({ disputed_at: $.at }).where("id", "=", $.id),
);
