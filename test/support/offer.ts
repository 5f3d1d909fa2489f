import { ListedOffer } from "../../src/core/offer/listed-offer.ts";
import { run, type Database } from "../../src/store/engine/database.ts";
import { query } from "../../src/store/engine/query.ts";
import type { Json } from "./payload.ts";

/** A line of the operator's file. */
export const offerLine = (id: string, changes: Json = {}): Json => ({
  id,
  provider: { id: "foundry", name: "Foundry Hosting", url: "https://foundry.example" },
  name: `Offer ${id}`,
  type: "game",
  cpu_name: "Ryzen 7 7700",
  cpu_cores: 4,
  ram_gb: 8,
  disk_type: "nvme",
  disk_gb: 120,
  location: "Falkenstein",
  price_eur_cents: 1490,
  billing_period: "month",
  url: null,
  ...changes,
});

export const listedOffer = (id: string, changes: Json = {}): ListedOffer =>
  ListedOffer.parse(offerLine(id, changes));

const addTarget = query<{ id: string; account: string; server: string; offer: string }>()((db, $) =>
  db.insertInto("auto_bench_target").values({
    id: $.id,
    account_id: $.account,
    server_id: $.server,
    offer_id: $.offer,
    kind: "one_off",
    name: "Measured",
    enabled: 1,
    benchmark_mode: "standard",
    runs_per_job: 1,
    consecutive_failures: 0,
    created_at: 1,
    updated_at: 1,
  }),
);
const addJob = query<{ id: string; target: string; account: string; server: string }>()((db, $) =>
  db.insertInto("auto_bench_job").values({
    id: $.id,
    target_id: $.target,
    account_id: $.account,
    server_id: $.server,
    launched_by: "internal",
    status: "succeeded",
    nonce: $.id,
    runs_total: 1,
    requeued: 0,
    cancel_requested: 0,
    queued_at: 1,
    updated_at: 1,
  }),
);
const ofJob = query<{ report: string; job: string }>()((db, $) =>
  db.updateTable("report").set({ job_id: $.job, source: "auto_bench" }).where("id", "=", $.report),
);

/** Makes a report the operator's own measurement of an offer, which is a runner's doing. */
export const markMeasured = (
  db: Database,
  offer: string,
  report: string,
  { id: server, accountId: account }: { readonly id: string; readonly accountId: string },
): Promise<void> =>
  db.write(function* () {
    const [target, job] = [`target of ${report}`, `job of ${report}`];
    yield* run(addTarget, { id: target, account, server, offer });
    yield* run(addJob, { id: job, target, account, server });
    yield* run(ofJob, { report, job });
  });
