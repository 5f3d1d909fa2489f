import { ReportedEvent } from "../core/event/reported-event.ts";
import type { Instant } from "../core/time.ts";
import type { EventBody } from "../outbound/plugin-client.ts";
import { SourceReader } from "./sources/read-source.ts";
import { deliverWaiting } from "./send/deliver.ts";
import { HeartbeatSender } from "./send/heartbeat-sender.ts";
import { continued, merged, mergedSample } from "./sources/merge.ts";
import { OnDemand } from "./collect/on-demand.ts";
import type { Monitored } from "./monitored.ts";
import { oneLine } from "./one-line.ts";
import type { ServerProcess } from "./install/server-install.ts";
import { isAnswer, LifecycleAnnouncer, stateSentence } from "./send/lifecycle-announcer.ts";
import { OwnerPause } from "./send/owner-pause.ts";
import type { Reading } from "./sources/source.ts";
import { ServiceClient } from "./send/service-client.ts";
import { ServiceTime } from "./send/service-time.ts";
import { SoftwareSender } from "./send/software-sender.ts";
import { Troubles } from "./troubles.ts";

/** Failures that do not end the monitoring: the line for the failure, and the line for its end. */
const troubles = {
  process: ["The server's process cannot be searched for", "The server's process can be searched for again."],
  position: ["How far the log was read cannot be kept", "How far the log was read is kept again."],
} as const;

/** A synchronised clock is slewed by less than this in a second, ms. */
const clockStepMs = 1000;

/** Events per write, since each write waits for the disk. */
const keptAtOnce = 250;

/**
 * Monitors one game server: sends a sample and a heartbeat with every turn, and a start or stop at once. The
 * caller drives it by `tick`, which never waits for a source or for the service.
 */
export class Monitor {
  readonly #parts: Monitored;
  readonly #service: ServiceClient;
  readonly #heartbeats: HeartbeatSender;
  readonly #onDemand: OnDemand;
  readonly #software: SoftwareSender;
  #asking: SourceReader;
  #install: Monitored["install"];
  #console: Monitored["console"];
  readonly #ending = new AbortController();
  readonly #watching: SourceReader;
  readonly #time = new ServiceTime();
  readonly #lifecycle = new LifecycleAnnouncer();
  readonly #troubles: Troubles;
  readonly #pause: OwnerPause;
  readonly #underWay = new Set<Promise<void>>();
  readonly #refusedFields = new Set<string>();
  #gathered: Reading = {};
  #dueAt = 0;
  #turning = false;
  #watchedRead: Promise<void> | null = null;
  #draining = false;
  #resumed = false;
  #stopUnsent = false;
  #reached = true;
  #reportedState: LifecycleAnnouncer["state"] = "stopped";
  /** How far the machine's clock is ahead of `elapsed`, ms. */
  #aheadMs: number | null = null;
  #broken: { readonly error: unknown } | null = null;

  constructor(parts: Monitored) {
    const { client, elapsed, tell, clock, version } = parts;
    this.#parts = parts;
    this.#troubles = new Troubles(tell);
    this.#pause = new OwnerPause(parts.pause, tell);
    this.#service = new ServiceClient(client, elapsed, tell);
    this.#onDemand = new OnDemand(parts.collect, elapsed, tell);
    this.#heartbeats = new HeartbeatSender({
      service: this.#service,
      version,
      clock,
      tell,
      timeSaid: (serverTime) => this.#time.note(serverTime, parts.steady()),
      wanted: (collect) => this.#onDemand.want(collect),
    });
    this.#software = new SoftwareSender(parts.software, { service: this.#service, elapsed, tell });
    this.#asking = new SourceReader(parts.sources, tell);
    this.#install = parts.install;
    this.#console = parts.console;
    this.#watching = new SourceReader(parts.watched, tell);
  }

  /** The time between two samples, ms. */
  get everyMs(): number {
    return this.#parts.everyMs ?? this.#heartbeats.everyMs;
  }

  /** Rejects with the error that ended the monitoring for good. */
  async tick(): Promise<void> {
    if (this.#broken) throw this.#broken.error;
    const { elapsed, queue } = this.#parts;
    this.#noticeClock();
    await this.#checkPause();
    this.#inBackground(this.#readWatched());
    if (this.#stopUnsent) this.#inBackground(this.#tellStop());
    // Before a turn: nothing is drained during one, and turns may take the whole interval.
    if (queue.isBusy) this.#inBackground(this.#drain());
    if (elapsed() >= this.#dueAt && !this.#turning) {
      const next = this.#dueAt + this.everyMs;
      this.#dueAt = next > elapsed() ? next : elapsed() + this.everyMs;
      this.#inBackground(this.#turn());
    }
  }

  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await Promise.all([this.#onDemand.settled(), this.#parts.lagCapture?.settled()]);
  }

  /** Announces the end of the monitoring if the server runs, then closes. */
  async end(): Promise<void> {
    this.#ending.abort();
    this.#onDemand.end();
    this.#software.end();
    await this.settled();
    this.#service.insist();
    if (this.#stopUnsent) await this.#tellStop();
    else if (this.#lifecycle.speaks && !this.#pause.isOn) await this.#announce("monitoring_paused");
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.#asking.close(), this.#watching.close()]);
    await this.#parts.queue.close();
  }

  async changeInstall(parts: Pick<Monitored, "install" | "sources" | "software" | "console">): Promise<void> {
    const before = this.#asking;
    this.#software.use(parts.software);
    this.#asking = new SourceReader(parts.sources, this.#parts.tell);
    this.#install = parts.install;
    this.#console = parts.console;
    await before.close();
  }

  /** A change against the monotonic clock shows that the machine's clock was set. */
  #noticeClock(): void {
    const aheadMs = this.#parts.clock() - this.#parts.elapsed();
    const byMs = aheadMs - (this.#aheadMs ?? aheadMs);
    this.#aheadMs = aheadMs;
    if (Math.abs(byMs) >= clockStepMs) this.#lifecycle.moveClock(byMs);
  }

  #inBackground(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        this.#broken ??= { error };
      })
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  #readWatched(): Promise<void> {
    this.#watchedRead ??= this.#readWatchedOnce().finally(() => {
      this.#watchedRead = null;
    });
    return this.#watchedRead;
  }

  async #readWatchedOnce(): Promise<void> {
    const now = this.#parts.clock();
    for (const { events = [], settle, ...reading } of await this.#watching.read(now)) {
      this.#gathered = continued(this.#gathered, reading);
      this.#hear(reading, now);
      const isKept = await this.#keepEvents(events, now);
      if (isKept && settle) await this.#troubles.attempt(troubles.position, settle);
    }
  }

  #hear({ announced }: Reading, now: Instant): void {
    if (this.#lifecycle.hear(announced, now)) this.#stopUnsent = true;
    if (this.#stopUnsent) this.#inBackground(this.#tellStop());
  }

  async #tellStop(): Promise<void> {
    if (!this.#stopUnsent || !this.#service.open || this.#pause.isOn) return;
    this.#stopUnsent = false;
    if (await this.#announce("stopping"))
      this.#parts.tell("The server stops, and the agent reported it to the service.");
    // If the server runs again meanwhile, the next heartbeat reports that.
    else this.#stopUnsent = !this.#lifecycle.speaks;
  }

  #announce(announce: "stopping" | "monitoring_paused"): Promise<boolean> {
    return this.#heartbeats.beat({ announce, sample: null, reading: {} });
  }

  async #turn(): Promise<void> {
    this.#turning = true;
    try {
      const now = this.#parts.clock();
      const [readings, process] = await Promise.all([
        this.#asking.read(now),
        this.#findProcess(),
        this.#readWatched(),
      ]);
      const polled = merged(readings);
      const reading = merged([polled, this.#gathered]);
      this.#gathered = {};
      if (process !== "unknown" || isAnswer(polled))
        this.#lifecycle.see(
          { pid: process === "unknown" ? null : (process?.pid ?? null), answered: isAnswer(polled) },
          now,
        );
      this.#hear(polled, now);
      this.#logState();
      await this.#keepEvents(polled.events ?? [], now);
      if (!this.#pause.isOn && this.#lifecycle.speaks) await this.#speak(reading, now);
      if (!this.#pause.isOn && this.#heartbeats.accepted)
        this.#parts.lagCapture?.see(reading.measured ?? {}, this.#console, this.#ending.signal);
      if (!this.#pause.isOn && this.#heartbeats.accepted)
        this.#inBackground(
          this.#software.look({
            process: process === "unknown" ? null : process,
            bootedAt: reading.bootedAt ?? null,
          }),
        );
    } finally {
      this.#turning = false;
    }
  }

  async #speak(reading: Reading, now: Instant): Promise<void> {
    const { sample, refused } = mergedSample(reading, now);
    for (const field of refused) this.#tellRefused(field);
    const arrived = this.#heartbeats.accepted ? await this.#parts.queue.append({ at: now, sample }) : null;
    // The server may have announced its stop while the sample was written.
    if (!this.#lifecycle.speaks || this.#pause.isOn) return;
    const announce = this.#resumed ? "monitoring_resumed" : null;
    this.#reached = await this.#heartbeats.beat({ announce, sample, reading });
    if (!this.#reached) return;
    this.#resumed = false;
    await arrived?.();
  }

  /** "unknown" if the search failed: the process may still run. */
  async #findProcess(): Promise<ServerProcess | "unknown" | null> {
    const found = await this.#troubles.attempt(troubles.process, async () => ({
      process: await this.#install.findProcess(),
    }));
    return found === null ? "unknown" : found.process;
  }

  async #checkPause(): Promise<void> {
    if (await this.#pause.look()) {
      this.#resumed = true;
      this.#dueAt = 0;
    }
    if (this.#pause.isUnannounced && this.#service.open && this.#lifecycle.speaks)
      this.#inBackground(this.#pause.announce(() => this.#announce("monitoring_paused")));
  }

  async #drain(): Promise<void> {
    const { queue, tell, steady } = this.#parts;
    const mayReach =
      this.#service.open && this.#heartbeats.accepted && (this.#reached || !this.#lifecycle.speaks);
    if (this.#draining || this.#turning || !mayReach) return;
    this.#draining = true;
    try {
      const delivered = await deliverWaiting({ queue, service: this.#service, time: this.#time, steady });
      if (delivered > 0) tell(`${delivered} samples that waited on disk were delivered.`);
    } finally {
      this.#draining = false;
    }
  }

  /** False while events are only in memory, so that they must be read again after a restart. */
  async #keepEvents(events: readonly EventBody[], now: Instant): Promise<boolean> {
    const { queue } = this.#parts;
    if (!this.#heartbeats.accepted || this.#pause.isOn) return true;
    const taken = events.filter((event) => {
      const isTaken = ReportedEvent.safeParse(event).success;
      if (!isTaken) this.#tellRefused(`an event of ${oneLine(event.source)}`);
      return isTaken;
    });
    for (let from = 0; from < taken.length; from += keptAtOnce)
      await queue.append(...taken.slice(from, from + keptAtOnce).map((event) => ({ at: now, event })));
    return !queue.isHolding;
  }

  #tellRefused(what: string): void {
    if (this.#refusedFields.has(what)) return;
    this.#refusedFields.add(what);
    this.#parts.tell(`${what}: a source gave a value that the service would refuse, so it was left out.`);
  }

  #logState(): void {
    const { state } = this.#lifecycle;
    if (state === this.#reportedState) return;
    this.#reportedState = state;
    const sentence = stateSentence[state];
    if (sentence !== null) this.#parts.tell(sentence);
  }
}
