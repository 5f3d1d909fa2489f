import { ListedOffer } from "../../core/offer/listed-offer.ts";
import type { ProviderRecord, CatalogueEntry } from "../../core/offer/catalogue.ts";
import { type Work, all, one } from "../engine/database.ts";
import { factsOf } from "./offer-rows.ts";
import { forUpdate, query } from "../engine/query.ts";

const linkedShown = 100;

const find = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("offer as o")
    .innerJoin("provider as p", "p.id", "o.provider_id")
    .selectAll("o")
    .select(["p.name as provider_name", "p.url as provider_url"])
    .where("o.id", "=", $.id),
);

const linked = query<{ id: string; limit: number }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("account as a", "a.id", "s.account_id")
    .select(["s.id", "s.name", "a.email"])
    .where("s.offer_id", "=", $.id)
    .orderBy("s.id")
    .limit($.limit),
);

type Row = NonNullable<(typeof find)["types"]>["row"];

const toEntry = (row: Row, servers: CatalogueEntry["linked"]): CatalogueEntry => ({
  listed: ListedOffer.parse(factsOf(row)),
  certificate:
    row.certified_report_id === null
      ? null
      : {
          reportId: row.certified_report_id,
          certifiedAt: row.certified_at ?? 0,
          expiresAt: row.certificate_expires_at ?? 0,
        },
  disputedAt: row.disputed_at,
  updatedAt: row.updated_at,
  linked: servers,
});

const providers = query<Record<string, never>>()((db) =>
  db
    .selectFrom("provider as p")
    .select(["p.id", "p.name", "p.url"])
    .select((eb) =>
      eb
        .selectFrom("offer as o")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("o.provider_id", "=", "p.id")
        .as("offers"),
    )
    .orderBy("p.id"),
);

export const lockOffer = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("offer").select(["certified_report_id", "certificate_expires_at"]).where("id", "=", $.id),
  ),
);

export const leaveServers = query<{ id: string }>()((db, $) =>
  db.updateTable("server").set({ offer_id: null }).where("offer_id", "=", $.id),
);

export const leaveTargets = query<{ id: string }>()((db, $) =>
  db.updateTable("auto_bench_target").set({ offer_id: null }).where("offer_id", "=", $.id),
);

export const deleteOffer = query<{ id: string }>()((db, $) => db.deleteFrom("offer").where("id", "=", $.id));

export const expireCertificate = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("offer").set({ certificate_expires_at: $.now }).where("id", "=", $.id),
);

export const leaveServer = query<{ id: string; server: string }>()((db, $) =>
  db.updateTable("server").set({ offer_id: null }).where("id", "=", $.server).where("offer_id", "=", $.id),
);

export const deleteUnusedProvider = query<{ id: string }>()((db, $) =>
  db
    .deleteFrom("provider")
    .where("id", "=", $.id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("offer as o").select("o.id").where("o.provider_id", "=", $.id))),
    ),
);

export function* selectCatalogueEntry(id: string): Work<CatalogueEntry | null> {
  const row = yield* one(find, { id });
  if (!row) return null;
  const servers = yield* all(linked, { id, limit: linkedShown });
  return toEntry(
    row,
    servers.map((server) => ({
      serverId: server.id,
      serverName: server.name,
      ownerEmail: server.email,
    })),
  );
}

export function* selectProviders(): Work<ProviderRecord[]> {
  return (yield* all(providers, {})).map(({ id, name, url, offers }) => ({
    id,
    name,
    url,
    offers: Number(offers),
  }));
}
