import { setTimeout as rest } from "node:timers/promises";
import { parseInstant, secondMs } from "../../core/time.ts";
import { PluginApiError, type LinkCodeBody, type PluginClient } from "../../outbound/plugin-client.ts";
import { oneLine } from "../one-line.ts";

export interface Linking {
  readonly client: PluginClient;
  readonly body: LinkCodeBody;
  /** Called with the first code, and with each one that replaces an expired code. */
  readonly show: (code: { readonly code: string; readonly expiresAt: string }, isFirst: boolean) => void;
  readonly tell: (line: string) => void;
}

/** Between two requests while the service does not answer, ms. */
const retryMs = 5000;

/** Waits until an owner enters a code of this agent; rejects only if the service gives no code. */
export async function linkByCode(linking: Linking): Promise<{ serverId: string; authToken: string }> {
  const request = () => linking.client.requestLinkCode(linking.body);
  for (let codes = 0; ; codes += 1) {
    const offered = await (codes === 0 ? request() : untilAnswered(linking, request));
    linking.show({ code: offered.code, expiresAt: offered.expires_at }, codes === 0);
    const claimed = await claim(linking, offered.claim_secret, offered.poll_after_seconds * secondMs);
    if (claimed) return claimed;
  }
}

/** Null if the code expired. */
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

/** Repeats a request while the service is away, fails or is busy; rejects if the service refuses it. */
async function untilAnswered<T>({ tell }: Linking, request: () => Promise<T>): Promise<T> {
  for (let silent = false; ; silent = true) {
    try {
      return await request();
    } catch (error) {
      const answer = error instanceof PluginApiError ? error : null;
      if (answer && answer.status < 500 && answer.status !== 429) throw error;
      if (!silent) tell(`The service does not answer (${oneLine(error)}). Still trying.`);
      await rest(Math.max(retryMs, (answer?.retryAfterSeconds ?? 0) * secondMs));
    }
  }
}

/** Null if the service does not answer. */
export async function isLinked(client: PluginClient): Promise<boolean | null> {
  try {
    await client.samples([]);
    return true;
  } catch (error) {
    return error instanceof PluginApiError && error.status === 401 ? false : null;
  }
}

export const minutesLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.round(((parseInstant(expiresAt) ?? now) - now) / 60_000));
