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
/** Sixty codes, each asked for every 5 seconds, are 720 claims a minute. */
export const linkClaimsPerMinute = 1000;
/** An account links 500 servers at most. */
export const maxServers = 500;

const linkCode = new RegExp(`^[${linkCodeAlphabet}]{${linkCodeLength}}$`);

/** The code in its one spelling, or null when the text cannot be a code. Lower case is taken too. */
export function normalizeLinkCode(text: string): string | null {
  if (text.length !== linkCodeLength) return null;
  const code = text.toUpperCase();
  return linkCode.test(code) ? code : null;
}

/** What a plugin tells of its server when it asks for a code; all optional. */
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

/** What speaks for a server: a plugin inside, or the agent beside it. */
export const Sender = z.enum(["plugin", "agent"]);
export type Sender = z.infer<typeof Sender>;

/** How the agent begins its version. */
export const agentName = "tickmark-agent";

/** A sender's version as people read it: the agent's without the name that it begins with. */
export const shownVersion = (version: string): string =>
  version.startsWith(`${agentName} `) ? version.slice(agentName.length + 1) : version;

/** What asked for the code by which a server was linked; whatever does not say that it is the agent is a plugin. */
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
