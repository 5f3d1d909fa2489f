import type { z } from "zod";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import type { Offer } from "../../../../core/offer/offer.ts";
import { listOffers } from "../../../../endpoints/api/offer/list-offers.ts";
import type { PageRequest } from "../../../page.ts";

/** Pages of 100 offers each. */
const mostPages = 5;

export async function offersToChoose({
  call,
}: PageRequest<SessionCaller>): Promise<readonly z.input<typeof Offer>[]> {
  const offers: z.input<typeof Offer>[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await call(listOffers, { limit: 100, ...(cursor !== undefined && { cursor }) });
    offers.push(...answer.data);
    if (answer.page.cursor === null) break;
    cursor = answer.page.cursor;
  }
  return offers;
}
