import type { Offer } from "../../../core/offer/offer.ts";

/** The offer the documentation's examples speak of. */
export const exampleOffer: Offer = {
  id: "foundry-iron-8",
  provider: { id: "foundry", name: "Foundry Hosting", url: "https://foundry.example" },
  name: "Iron 8",
  type: "game",
  cpu_name: "Ryzen 7 7700",
  cpu_cores: 4,
  ram_gb: 8,
  disk_type: "nvme",
  disk_gb: 120,
  location: "Falkenstein",
  price_eur_cents: 1490,
  billing_period: "month",
  url: "https://foundry.example/iron-8",
  evidence: "linked",
  contested: false,
  certified_at: null,
  certificate_expires_at: null,
  report: {
    id: "019a9f5e-1d00-7000-8000-000000000030",
    short_id: "k7m2q9xwpd4e",
    total: 1091,
    hardware: 1000,
    algorithm_version: "1",
    created_at: "2026-11-20T07:12:04.000Z",
  },
  updated_at: "2026-11-01T09:00:00.000Z",
};
