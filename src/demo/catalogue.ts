import { selectOffers } from "../store/offer/offers.ts";
import { setOfferDispute } from "../services/offer/set-offer-dispute.ts";
import { certify } from "../services/offer/certify-offer.ts";
import { importOfferList } from "../services/offer/import-offer-list.ts";
import { saveChosenOffer } from "../services/offer/choose-offer.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { ListedOffer } from "../core/offer/listed-offer.ts";
import { toTimestamp, type Instant } from "../core/time.ts";
import type { UnitTestBody } from "../outbound/plugin-client.ts";
import { hosts } from "./benchmark-hosts.ts";
import { benchmarkTests } from "./benchmark-tests.ts";
import type { DemoServer } from "./server.ts";

const foundry = { id: "foundry", name: "Foundry Hosting", url: "https://foundry.example" };
const harbour = { id: "harbour", name: "Harbour Servers", url: "https://harbour.example" };

const offers = [
  {
    id: "foundry-iron-8",
    provider: foundry,
    name: "Iron 8",
    type: "game",
    cpu_name: "AMD Ryzen 9 7950X3D",
    cpu_cores: 2,
    ram_gb: 8,
    disk_type: "nvme",
    disk_gb: 60,
    location: "Frankfurt",
    price_eur_cents: 1490,
  },
  {
    id: "foundry-steel-16",
    provider: foundry,
    name: "Steel 16",
    type: "vps",
    cpu_name: "AMD Ryzen 9 7950X3D",
    cpu_cores: 4,
    ram_gb: 16,
    disk_type: "nvme",
    disk_gb: 160,
    location: "Frankfurt",
    price_eur_cents: 2990,
  },
  {
    id: "harbour-anchor",
    provider: harbour,
    name: "Anchor",
    type: "dedicated",
    cpu_name: "AMD Ryzen 9 7950X3D",
    cpu_cores: 16,
    ram_gb: 64,
    disk_type: "nvme",
    disk_gb: 1920,
    location: "Rotterdam",
    price_eur_cents: 6900,
  },
  {
    id: "harbour-buoy",
    provider: harbour,
    name: "Buoy",
    type: "shared",
    ram_gb: null,
    price_eur_cents: null,
  },
  {
    id: "harbour-dinghy",
    provider: harbour,
    name: "Dinghy",
    type: "shared",
    cpu_name: "Intel Xeon Silver 4314",
    cpu_cores: 1,
    ram_gb: 2,
    disk_type: "ssd",
    disk_gb: 15,
    location: "Rotterdam",
    price_eur_cents: 390,
  },
  {
    id: "foundry-anvil-32",
    provider: foundry,
    name: "Anvil 32",
    type: "dedicated",
    cpu_name: "AMD Ryzen 9 7950X3D",
    cpu_cores: 8,
    ram_gb: 32,
    disk_type: "nvme",
    disk_gb: 960,
    location: "Frankfurt",
    price_eur_cents: 4990,
  },
].map((offer) => ListedOffer.parse(offer));

export const measuredOffer = "foundry-anvil-32";

/** The offer of each server, as its owner chose it. Two reports of one offer disagree. */
const chosen: Readonly<Record<string, string>> = {
  "Foundry SMP": "foundry-iron-8",
  "Worldgen Lab": "foundry-iron-8",
  Archipelago: "harbour-anchor",
  "Evergreen Creative": "foundry-steel-16",
};

/** Imports the catalogue and saves the servers' offers, as the operator and owners do. */
export async function demoOffers(
  { db }: AppContext,
  servers: readonly DemoServer[],
  now: Instant,
): Promise<void> {
  await db.write(importOfferList, offers, now);
  for (const { id, spec } of servers) {
    const offer = chosen[spec.name];
    if (offer !== undefined) await db.write(saveChosenOffer, id, offer);
  }
}

/** Certifies one offer by the newest public report of its server, and opens a dispute about another. */
export async function judgeOffers({ db }: AppContext, now: Instant): Promise<void> {
  const filter = { type: null, maxPriceEurCents: null, minRamGb: null, evidence: null, providerId: null };
  const rows = await db.read(selectOffers, filter, null, offers.length, now);
  const anchor = rows.find(({ offer }) => offer.id === "harbour-anchor")?.offer;
  if (anchor?.report) await db.write(certify, anchor.id, anchor.report.id, now);
  await db.write(setOfferDispute, "harbour-dinghy", now);
}

function ticksOf(host: keyof typeof hosts): Pick<UnitTestBody, "tps" | "mspt"> {
  const [average, least] = hosts[host].tps;
  const [mspt, median, , , most] = hosts[host].mspt;
  return {
    tps: { avg: average, min: least, max: 20 },
    mspt: { avg: mspt, min: Math.min(mspt, median), max: most },
  };
}

/** A measurement and a ramp, as that server's plugin would have run them an hour ago. */
export function singleTests({ spec }: Pick<DemoServer, "spec">, now: Instant): UnitTestBody[] {
  const [run] = spec.runs;
  if (!run) return [];
  const pick = (mode: "standard" | "stresslimit", testId: string) =>
    benchmarkTests(hosts[run.host], mode, (_, value) => value).find(({ test_id }) => test_id === testId);
  const hoppers = pick("standard", "mechanics_hopper");
  const tests = [hoppers && { ...hoppers, ...ticksOf(run.host) }, pick("stresslimit", "entities_ai")];
  return tests.flatMap((test, index) =>
    test
      ? [
          {
            ...test,
            benchmark_mode: index === 0 ? ("standard" as const) : ("tier" as const),
            ...(spec.profile.kind === "old_plugin" && { outcome: null }),
            local_id: `single-${index + 1}`,
            plugin_version: spec.pluginVersion,
            test_timestamp: toTimestamp(now - 3_600_000),
            server: spec.software,
            hardware: { ...hosts[run.host].hardware },
          },
        ]
      : [],
  );
}
