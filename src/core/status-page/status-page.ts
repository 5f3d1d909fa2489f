import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { Id } from "../id.ts";
import { shortIdAlphabet } from "../id-form.ts";
import { callerName } from "../text/third-party-text.ts";
import { toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

/** Pages of an account, and servers on a page (ours): each server costs time at every renewal. */
export const mostStatusPages = 10;
export const mostShownServers = 25;

/** Random addresses: 31^20, about 2^99. */
export const statusAddressAlphabet = shortIdAlphabet;
export const statusAddressLength = 20;

/** Characters. */
export const longestStatusAddress = 40;
const shortestStatusAddress = 3;

const addressCharacters = /^[a-z0-9-]+$/;

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

/** Characters. */
export const longestStatusTitle = 80;
export const longestShownName = 64;

export const StatusTitle = callerName(longestStatusTitle);
export const ShownServerName = callerName(longestShownName);

/** `name` is the one that the owner chose for this page. */
export const ShownServer = z.strictObject({ server_id: z.string(), name: ShownServerName });
export type ShownServer = z.infer<typeof ShownServer>;

/** The servers are in the order of the page. */
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

export const StatusPage = z.object({
  id: Id,
  address: z.string(),
  ...statusPageFields,
  servers: z.array(z.object({ server_id: Id, name: ShownServerName })),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type StatusPage = z.infer<typeof StatusPage>;

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
  /** Grows with every change, so that it tells versions of the page apart. */
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
