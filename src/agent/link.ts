import { setTimeout as rest } from "node:timers/promises";
import { parseInstant, secondMs } from "../core/time.ts";
import { PluginApiError, type LinkCodeBody, type PluginClient } from "../outbound/plugin-client.ts";
import { oneLine } from "./one-line.ts";

export interface Linking {
  readonly client: PluginClient;
  readonly body: LinkCodeBody;
  /** Told of each code: of the first one, and of those that take the place of one that expired. */
  readonly show: (code: { readonly code: string; readonly expiresAt: string }, isFirst: boolean) => void;
  readonly tell: (line: string) => void;
}

/** Between two questions while the service does not answer, ms. */
const retryMs = 5000;

/** Waits until somebody typed a code of ours; rejects only where no code is to be had. */
export async function linkServer(linking: Linking): Promise<{ serverId: string; authToken: string }> {
  for (let codes = 0; ; codes += 1) {
    const offered = await linking.client.requestLinkCode(linking.body);
    linking.show({ code: offered.code, expiresAt: offered.expires_at }, codes === 0);
    const claimed = await claim(linking, offered.claim_secret, offered.poll_after_seconds * secondMs);
    if (claimed) return claimed;
  }
}

/** Asks until the code was used; null when it expired. */
async function claim(
  { client, tell }: Linking,
  claimSecret: string,
  pollMs: number,
): Promise<{ serverId: string; authToken: string } | null> {
  let silent = false;
  for (;;) {
    try {
      const claimed = await client.claim(claimSecret);
      if (claimed.status === "linked") return { serverId: claimed.server_id, authToken: claimed.auth_token };
      silent = false;
      await rest(pollMs);
    } catch (error) {
      if (error instanceof PluginApiError && error.status === 404) return null;
      if (!silent) tell(`The service does not answer (${oneLine(error)}). Still trying.`);
      silent = true;
      const asked = error instanceof PluginApiError ? (error.retryAfterSeconds ?? 0) * secondMs : 0;
      await rest(Math.max(retryMs, asked));
    }
  }
}

/** Whether the service still takes a credential; null when it does not answer. */
export async function isLinked(client: PluginClient): Promise<boolean | null> {
  try {
    await client.samples([]);
    return true;
  } catch (error) {
    return error instanceof PluginApiError && error.status === 401 ? false : null;
  }
}

/** When a code ends, in whole minutes from now. */
export const minutesLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.round(((parseInstant(expiresAt) ?? now) - now) / 60_000));
