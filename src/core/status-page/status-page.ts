import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { Id } from "../id.ts";
import { shortIdAlphabet } from "../id-form.ts";
import { callerName } from "../text/third-party-text.ts";
import { toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

/** Status pages of an account, and servers on one page (ours): each server costs time at every renewal. */
export const mostStatusPages = 10;
export const mostShownServers = 25;

/** The alphabet and the length of an address by chance: 31^20, about 2^99. */
export const statusAddressAlphabet = shortIdAlphabet;
export const statusAddressLength = 20;

/** The lengths of an address, characters. */
export const longestStatusAddress = 40;
const shortestStatusAddress = 3;

const addressCharacters = /^[a-z0-9-]+$/;

/** Whether a text can be the address of a status page. */
export const isStatusAddress = (text: string): boolean =>
  text.length >= shortestStatusAddress &&
  text.length <= longestStatusAddress &&
  addressCharacters.test(text) &&
  !text.startsWith("-") &&
  !text.endsWith("-") &&
  !text.includes("--");

/** An address that an owner chooses. */
export const StatusAddress = accepting(
  z.string().refine(isStatusAddress),
  `3 to ${longestStatusAddress} lower-case letters (a to z), digits and single hyphens between them`,
);

/** The lengths of the names that an owner chooses, characters. */
export const longestStatusTitle = 80;
export const longestShownName = 64;

export const StatusTitle = callerName(longestStatusTitle);
export const ShownServerName = callerName(longestShownName);

/** A server on a status page, under the name that the owner chose for it there. */
export const ShownServer = z.strictObject({ server_id: z.string(), name: ShownServerName });
export type ShownServer = z.infer<typeof ShownServer>;

/** What an owner chooses for a status page; the servers are in the order of the page. */
export const statusPageFields = {
  title: StatusTitle,
  shows_players: z.boolean(),
  servers: accepting(
    z
      .array(ShownServer)
      .min(1)
      .max(mostShownServers)
      .refine((servers) => new Set(servers.map(({ server_id }) => server_id)).size === servers.length),
    `1 to ${mostShownServers} servers, each once, with a name of 1 to 64 characters`,
  ),
};

/** A status page as its owner sees it. */
export const StatusPage = z.object({
  id: Id,
  address: z.string(),
  ...statusPageFields,
  servers: z.array(z.object({ server_id: Id, name: ShownServerName })),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type StatusPage = z.infer<typeof StatusPage>;

/** What an owner chose, as it is stored. */
export interface StatusPageChoice {
  readonly title: string;
  readonly showsPlayers: boolean;
  readonly servers: readonly ShownServer[];
}

export interface StatusPageRecord extends StatusPageChoice {
  readonly id: string;
  readonly accountId: string;
  readonly address: string;
  readonly createdAt: Instant;
  /** Grows with every change: it tells versions of the page apart. */
  readonly updatedAt: Instant;
}

export const toStatusPage = (page: StatusPageRecord): StatusPage => ({
  id: page.id,
  address: page.address,
  title: page.title,
  shows_players: page.showsPlayers,
  servers: page.servers.map(({ server_id, name }) => ({ server_id, name })),
  created_at: toTimestamp(page.createdAt),
  updated_at: toTimestamp(page.updatedAt),
});
