import { logAct } from "../service-log/log-act.ts";
import type { ListedOffer } from "../../core/offer/listed-offer.ts";
import type { ImportedOffers } from "../../core/offer/records.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { offersSaved } from "../../core/service-log/entries.ts";
import type { Instant } from "../../core/time.ts";
import { insertAll } from "../../store/engine/bulk.ts";
import { one, run, type Work } from "../../store/engine/database.ts";
import { countOffers, saveProviders, touchOffers, saveOffers } from "../../store/offer/offer-writes.ts";

export const byId = (a: { id: string }, b: { id: string }): number =>
  a.id < b.id ? -1 : Number(a.id > b.id);

function* saveImportedOffers(offers: readonly ListedOffer[], now: Instant): Work<ImportedOffers> {
  const providers = new Map(offers.map(({ provider }) => [provider.id, provider]));
  const before = Number((yield* one(countOffers, {}))?.count ?? 0);
  // Sorted, so that two imports cannot deadlock.
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

/** Adds offers and providers, or changes those with known ids; all or none. */
export function* importOfferList(
  offers: readonly ListedOffer[],
  now: Instant,
  act?: Act,
): Work<ImportedOffers> {
  const saved = yield* saveImportedOffers(offers, now);
  yield* logAct(act, offersSaved(offers, saved));
  return saved;
}
