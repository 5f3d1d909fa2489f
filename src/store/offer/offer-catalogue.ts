import { ListedOffer } from "../../core/offer/listed-offer.ts";
import type { ProviderRecord, CatalogueEntry } from "../../core/offer/catalogue.ts";
import {
  certificateEnded,
  offerDeleted,
  providerDeleted,
  serverTakenOff,
} from "../../core/service-log/entries.ts";
import type { Act, NewEntry } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, all, one, run, type Result, type Step } from "../engine/database.ts";
import { factsOf } from "./offer-rows.ts";
import { unlockReport } from "./offer-writes.ts";
import { forUpdate, query } from "../engine/query.ts";
import { note } from "../service-log/service-log.ts";

/** Servers of an offer that are told one by one. */
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

const lockOffer = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("offer").select(["certified_report_id", "certificate_expires_at"]).where("id", "=", $.id),
  ),
);

const leaveServers = query<{ id: string }>()((db, $) =>
  db.updateTable("server").set({ offer_id: null }).where("offer_id", "=", $.id),
);

const leaveTargets = query<{ id: string }>()((db, $) =>
  db.updateTable("auto_bench_target").set({ offer_id: null }).where("offer_id", "=", $.id),
);

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("offer").where("id", "=", $.id));

function* withdraw(id: string, now: Instant): Generator<Step, boolean, Result> {
  const held = yield* one(lockOffer, { id });
  if (!held) return false;
  yield* run(leaveServers, { id });
  yield* run(leaveTargets, { id });
  yield* run(remove, { id });
  if (held.certified_report_id !== null) yield* run(unlockReport, { id: held.certified_report_id, now });
  return true;
}

const endCertificate = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("offer").set({ certificate_expires_at: $.now }).where("id", "=", $.id),
);

function* endCertificateOf(id: string, now: Instant): Generator<Step, boolean, Result> {
  const held = yield* one(lockOffer, { id });
  if (held?.certified_report_id == null || (held.certificate_expires_at ?? 0) <= now) return false;
  yield* run(endCertificate, { id, now });
  yield* run(unlockReport, { id: held.certified_report_id, now });
  return true;
}

const leaveServer = query<{ id: string; server: string }>()((db, $) =>
  db.updateTable("server").set({ offer_id: null }).where("id", "=", $.server).where("offer_id", "=", $.id),
);

const removeProvider = query<{ id: string }>()((db, $) =>
  db
    .deleteFrom("provider")
    .where("id", "=", $.id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("offer as o").select("o.id").where("o.provider_id", "=", $.id))),
    ),
);

/** Does it, and writes it down where it was done. */
function* noted(
  act: Act | undefined,
  entry: NewEntry,
  work: Generator<Step, boolean, Result>,
): Generator<Step, boolean, Result> {
  const done = yield* work;
  if (done) yield* note(act, entry);
  return done;
}

function* someRow(changed: Generator<Step, number, Result>): Generator<Step, boolean, Result> {
  return (yield* changed) > 0;
}

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

/**
 * Takes an offer out of the catalogue: servers and measurements are on none from then on, and what was certified
 * for it is unlocked. False when there is no such offer.
 */
export function* retractOffer(id: string, now: Instant, act?: Act): Work<boolean> {
  return yield* noted(act, offerDeleted(id), withdraw(id, now));
}

/** Ends the certificate now, and unlocks its report; false when none holds. */
export function* closeCertificate(id: string, now: Instant, act?: Act): Work<boolean> {
  return yield* noted(act, certificateEnded(id), endCertificateOf(id, now));
}

/** Takes back what a server's owner chose; false when the server is not on that offer. */
export function* takeServerOffOffer(id: string, server: string, act?: Act): Work<boolean> {
  return yield* noted(act, serverTakenOff(id), someRow(run(leaveServer, { id, server })));
}

/** False where there is no such provider, or it still has offers. */
export function* dropProvider(id: string, act?: Act): Work<boolean> {
  return yield* noted(act, providerDeleted(id), someRow(run(removeProvider, { id })));
}
