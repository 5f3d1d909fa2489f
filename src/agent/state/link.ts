import { setTimeout as rest } from "node:timers/promises";
import { parseInstant, secondMs } from "../../core/time.ts";
import { PluginApiError, type LinkCodeBody, type PluginClient } from "../../outbound/plugin-client.ts";
import { oneLine } from "../one-line.ts";

export interface Linking {
  readonly client: PluginClient;
  readonly body: LinkCodeBody;
  /** Told of each code: of the first one, and of those that take the place of one that expired. */
  readonly show: (code: { readonly code: string; readonly expiresAt: string }, isFirst: boolean) => void;
  readonly tell: (line: string) => void;
}

/** Between two questions while the service does not answer, ms. */
const retryMs = 5000;

/** Waits until somebody typed a code of ours; rejects only where no first code is to be had, or none any more. */
export async function linkByCode(linking: Linking): Promise<{ serverId: string; authToken: string }> {
  const request = () => linking.client.requestLinkCode(linking.body);
  for (let codes = 0; ; codes += 1) {
    const offered = await (codes === 0 ? request() : untilAnswered(linking, request));
    linking.show({ code: offered.code, expiresAt: offered.expires_at }, codes === 0);
    const claimed = await claim(linking, offered.claim_secret, offered.poll_after_seconds * secondMs);
    if (claimed) return claimed;
  }
}

/** Asks until the code was used; null when it expired. */
async function claim(
  linking: Linking,
  claimSecret: string,
  pollMs: number,
): Promise<{ serverId: string; authToken: string } | null> {
  for (;;) {
    const claimed = await untilAnswered(linking, () => linking.client.claim(claimSecret)).catch(nullIfGone);
    if (claimed === null) return null;
    if (claimed.status === "linked") return { serverId: claimed.server_id, authToken: claimed.auth_token };
    await rest(pollMs);
  }
}

function nullIfGone(error: unknown): null {
  if (error instanceof PluginApiError && error.status === 404) return null;
  throw error;
}

/** Asks again while the service is away, fails or has too much to do; what it refuses is refused. */
async function untilAnswered<T>({ tell }: Linking, ask: () => Promise<T>): Promise<T> {
  for (let silent = false; ; silent = true) {
    try {
      return await ask();
    } catch (error) {
      const answer = error instanceof PluginApiError ? error : null;
      if (answer && answer.status < 500 && answer.status !== 429) throw error;
      if (!silent) tell(`The service does not answer (${oneLine(error)}). Still trying.`);
      await rest(Math.max(retryMs, (answer?.retryAfterSeconds ?? 0) * secondMs));
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
