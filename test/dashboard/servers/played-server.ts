import type { Account } from "../../../src/core/access/account.ts";
import { toTimestamp } from "../../../src/core/time.ts";
import type { Json } from "../../support/payload.ts";
import type { TestService } from "../../support/service.ts";

/** A clock that is moved by hand. */
export function monotonicNow(start: number): { now: () => number; pass: (ms: number) => void } {
  let at = start;
  return { now: () => at, pass: (ms) => void (at += ms) };
}

/** A game server as its plugin speaks for it. */
export interface Played {
  readonly id: string;
  readonly credential: string;
  /** A heartbeat of this moment, with these figures. */
  beat(sample?: Json, changes?: Json): Promise<void>;
  /** Measurements of an earlier time. */
  samples(samples: readonly (Json & { at: number })[]): Promise<void>;
  events(events: readonly Json[]): Promise<void>;
}

let serial = 0;

export async function playedServer(service: TestService, owner: Account, name: string): Promise<Played> {
  const { id, credential } = await service.server(owner, { name, port: 25_565 });
  const now = (): string => toTimestamp(service.app.clock());
  const send = async (path: string, body: Json): Promise<void> => {
    const answer = await service.request("POST", `/plugin/v1${path}`, { token: credential, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  };
  return {
    id,
    credential,
    beat: (sample, changes = {}) =>
      send("/heartbeat", {
        sent_at: now(),
        plugin_version: "1.10.2",
        ...(sample && { sample: { sampled_at: now(), ...sample } }),
        ...changes,
      }),
    samples: (samples) =>
      send("/samples", {
        samples: samples.map(({ at, ...figures }) => ({ sampled_at: toTimestamp(at), ...figures })),
      }),
    events: (events) =>
      send("/events", {
        events: events.map((event) => ({
          local_id: `event-${(serial += 1)}`,
          type: "note",
          category: "custom",
          source: "Tests",
          severity: "info",
          title: "A note",
          timestamp: now(),
          ...event,
        })),
      }),
  };
}
