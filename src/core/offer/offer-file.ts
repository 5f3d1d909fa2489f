import type { z } from "zod";
import { ListedOffer } from "./listed-offer.ts";

/** `problems` has an entry for each bad line. */
export type OfferFile =
  | { readonly ok: true; readonly offers: readonly ListedOffer[] }
  | { readonly ok: false; readonly problems: readonly string[] };

interface Seen {
  readonly offers: Map<string, number>;
  readonly providers: Map<string, { readonly line: number; readonly facts: string }>;
}

/** Reads NDJSON, one offer a line; empty lines are skipped, but counted. */
export function readOfferFile(text: string): OfferFile {
  const offers: ListedOffer[] = [];
  const problems: string[] = [];
  const seen: Seen = { offers: new Map(), providers: new Map() };
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line);
    const problem = typeof read === "string" ? read : clash(read, index + 1, seen);
    if (problem !== null) problems.push(`line ${index + 1}: ${problem}`);
    else if (typeof read !== "string") offers.push(read);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, offers };
}

function readLine(line: string): ListedOffer | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "is not JSON";
  }
  const parsed = ListedOffer.safeParse(value);
  return parsed.success ? parsed.data : wordsOf(parsed.error.issues[0]);
}

const wordsOf = (issue: z.core.$ZodIssue | undefined): string => {
  if (!issue) return "is no offer";
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `${path === "" ? "an offer" : path} has no field ${keys}`;
  }
  return path === "" ? "is not a JSON object" : `${path} is missing or has a wrong value`;
};

function clash({ id, provider }: ListedOffer, line: number, { offers, providers }: Seen): string | null {
  const earlier = offers.get(id);
  if (earlier !== undefined) return `the offer ${id} stands on line ${earlier} already`;
  offers.set(id, line);
  const facts = JSON.stringify([provider.name, provider.url]);
  const known = providers.get(provider.id);
  if (known && known.facts !== facts)
    return `the provider ${provider.id} has another name or url than on line ${known.line}`;
  if (!known) providers.set(provider.id, { line, facts });
  return null;
}
