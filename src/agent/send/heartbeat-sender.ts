import { clockToleranceMs, heartbeatSeconds } from "../../core/metric/clock.ts";
import type { SiteStep } from "../../core/server/status.ts";
import { parseInstant, secondMs, toTimestamp, toTimestampOrNull, type Instant } from "../../core/time.ts";
import type { HeartbeatBody, SampleBody } from "../../outbound/plugin-client.ts";
import { whyDeclined } from "./site-step.ts";
import type { Reading } from "../sources/source.ts";
import type { ServiceClient } from "./service-client.ts";

export interface HeartbeatDeps {
  readonly service: ServiceClient;
  readonly version: string;
  readonly clock: () => Instant;
  readonly tell: (line: string) => void;
  readonly timeSaid: (serverTime: string) => void;
  /** Called with every answer: the captures that the owner requested on the server's page. */
  readonly wanted: (collect: readonly string[]) => void;
}

export interface Heartbeat {
  readonly announce: HeartbeatBody["announce"];
  readonly sample: SampleBody | null;
  readonly reading: Pick<Reading, "bootedAt" | "lastTickAgeMs">;
}

/** Sends heartbeats, and reads the state and the interval of this server from the answers. */
export class HeartbeatSender {
  readonly #parts: HeartbeatDeps;
  #step: SiteStep = "on";
  #everyMs = heartbeatSeconds * secondMs;
  #bootedAt: Instant | null = null;
  #clockIsOff = false;

  constructor(parts: HeartbeatDeps) {
    this.#parts = parts;
  }

  /** Whether the service takes this server's data, by its last answer. */
  get accepted(): boolean {
    return this.#step === "on";
  }

  /** The interval that the service sets, ms. */
  get everyMs(): number {
    return this.#everyMs;
  }

  /** True if the service answered, even if it does not take this server's data. */
  async beat(beat: Heartbeat): Promise<boolean> {
    const sent = await this.#send(beat);
    if (sent.kind !== "refused") return sent.kind === "answered";
    this.#parts.tell(`The service refused a heartbeat (${sent.why}).`);
    // A heartbeat without figures still shows that the server runs.
    return beat.sample === null ? false : (await this.#send({ ...beat, sample: null })).kind === "answered";
  }

  async #send({ announce, sample, reading }: Heartbeat) {
    const { service, clock, version } = this.#parts;
    this.#bootedAt = announce === null ? (reading.bootedAt ?? null) : (reading.bootedAt ?? this.#bootedAt);
    const age = reading.lastTickAgeMs;
    const sent = await service.send(async (client) => {
      const sentAt = clock();
      const answer = await client.heartbeat({
        sent_at: toTimestamp(sentAt),
        boot_timestamp: toTimestampOrNull(this.#bootedAt),
        plugin_version: version,
        last_tick_age_ms: age === undefined ? null : Math.max(0, Math.round(age)),
        announce,
        sample,
      });
      this.#parts.timeSaid(answer.server_time);
      this.#compareClocks(parseInstant(answer.server_time), clock());
      return answer;
    });
    if (sent.kind === "answered") {
      const { site_step, heartbeat_seconds, collect } = sent.answer;
      this.#note(site_step);
      if (heartbeat_seconds >= 1) this.#everyMs = heartbeat_seconds * secondMs;
      this.#parts.wanted(collect);
    }
    return sent;
  }

  #note(step: SiteStep): void {
    if (step === this.#step) return;
    this.#step = step;
    const why = whyDeclined[step];
    this.#parts.tell(
      why === null
        ? "The service accepts this server's data."
        : `The service does not accept this server's data: ${why}.`,
    );
  }

  #compareClocks(theirs: Instant | null, ours: Instant): void {
    const isOff = theirs !== null && Math.abs(theirs - ours) > clockToleranceMs;
    if (isOff && !this.#clockIsOff) {
      const minutes = Math.round(Math.abs(theirs - ours) / 60_000);
      const side = theirs > ours ? "behind" : "ahead of";
      this.#parts.tell(
        `The clock of this machine is ${minutes} minutes ${side} the service's clock. Set it, or data that has to wait on disk will be refused.`,
      );
    }
    this.#clockIsOff = isOff;
  }
}
