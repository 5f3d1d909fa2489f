import { z } from "zod";
import { orNull } from "../reported.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import type { Instant } from "../time.ts";

/** Link codes have 8 characters without the look-alikes I, L and 1, O and 0. */
export const linkCodeAlphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
export const linkCodeLength = 8;
export const linkCodeLifetimeMs = 15 * 60 * 1000;
export const claimPollSeconds = 5;
/** Hosts run many servers behind one address, so this is generous. */
export const linkCodesPerHour = 60;
/** Sixty codes, each polled every 5 seconds, are 720 claims a minute. */
export const linkClaimsPerMinute = 1000;
/** For each account. */
export const maxServers = 500;

const linkCode = new RegExp(`^[${linkCodeAlphabet}]{${linkCodeLength}}$`);

/** The code in upper case; null if the text cannot be a code. */
export function normalizeLinkCode(text: string): string | null {
  if (text.length !== linkCodeLength) return null;
  const code = text.toUpperCase();
  return linkCode.test(code) ? code : null;
}

/** Sent by a plugin when it asks for a code; all optional. */
export const ServerFacts = z.object({
  name: orNull(thirdPartyText(80)),
  address: orNull(thirdPartyText(255)),
  port: orNull(z.int().min(1).max(65_535)),
  type: orNull(thirdPartyText(64)),
  type_name: orNull(thirdPartyText(64)),
  game_version: orNull(thirdPartyText(64)),
  plugin_version: orNull(thirdPartyText(64)),
});
export type ServerFacts = z.infer<typeof ServerFacts>;

export const noFacts: ServerFacts = {
  name: null,
  address: null,
  port: null,
  type: null,
  type_name: null,
  game_version: null,
  plugin_version: null,
};

/** A plugin inside the server, or the agent beside it. */
export const Sender = z.enum(["plugin", "agent"]);
export type Sender = z.infer<typeof Sender>;

/** The agent's version begins with this name. */
export const agentName = "tickmark-agent";

/** The agent's version without its name; other versions as they are. */
export const shownVersion = (version: string): string =>
  version.startsWith(`${agentName} `) ? version.slice(agentName.length + 1) : version;

/** A version without the agent's name is that of a plugin. */
export const senderOf = ({ plugin_version: version }: Pick<ServerFacts, "plugin_version">): Sender =>
  version?.split(" ", 1)[0] === agentName ? "agent" : "plugin";

export interface NewLinkCode {
  readonly code: string;
  readonly installationId: string;
  readonly claimDigest: string;
  readonly facts: ServerFacts;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}
