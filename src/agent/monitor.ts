import { ReportedEvent } from "../core/event/reported-event.ts";
import type { Instant } from "../core/time.ts";
import type { EventBody, PluginClient } from "../outbound/plugin-client.ts";
import { SourceReader } from "./sources/read-source.ts";
import { deliverWaiting } from "./send/deliver.ts";
import { HeartbeatSender } from "./send/heartbeat-sender.ts";
import { continued, merged, mergedSample } from "./sources/merge.ts";
import { OnDemand, type Collect } from "./collect/on-demand.ts";
import { oneLine } from "./one-line.ts";
import type { ServerInstall } from "./install/server-install.ts";
import { isAnswer, LifecycleAnnouncer, stateSentence } from "./send/lifecycle-announcer.ts";
import type { Entry } from "./send/queue-file.ts";
import type { Queue } from "./send/queue.ts";
import type { Reading, Source } from "./sources/source.ts";
import { ServiceClient } from "./send/service-client.ts";
import { SoftwareSender } from "./send/software-sender.ts";
import type { SoftwareFolder } from "./software/software-folder.ts";

export interface Monitored {
  readonly install: Pick<ServerInstall, "findProcess">;
  /** The most trusted first. */
  readonly sources: readonly Source[];
  /** Read with every tick, because their events must not wait; of a figure in several sources, theirs counts last. */
  readonly watched: readonly Source[];
  readonly software: SoftwareFolder;
  readonly client: PluginClient;
  readonly queue: Queue;
  readonly version: string;
  /** The pause that the owner set, and whether the service knows of it. */
  readonly pause: { isOn(): Promise<boolean>; isAnnounced(): Promise<boolean>; announced(): Promise<void> };
  readonly collect: Collect;
  /** Wall time, and time that never jumps, ms. */
  readonly clock: () => Instant;
  readonly elapsed: () => number;
  readonly tell: (line: string) => void;
  /** The time between two samples, ms; null for the interval that the service sets. */
  readonly everyMs: number | null;
}

/** The number of events that are written to disk in one piece, since each write waits for the disk. */
const keptAtOnce = 250;

/**
 * Monitors one game server: sends a sample and a heartbeat with every turn, and a start or stop at once.
 * Time passes in `tick` alone, which never waits for a source or for the service.
 */
export class Monitor {
  readonly #parts: Monitored;
  readonly #service: ServiceClient;
  readonly #heartbeats: HeartbeatSender;
  readonly #onDemand: OnDemand;
  readonly #software: SoftwareSender;
  #asking: SourceReader;
  #install: Monitored["install"];
  readonly #watching: SourceReader;
  readonly #lifecycle = new LifecycleAnnouncer();
  readonly #underWay = new Set<Promise<void>>();
  readonly #refusedFields = new Set<string>();
  #gathered: Reading = {};
  #dueAt = 0;
  #turning = false;
  #watchedRead: Promise<void> | null = null;
  #draining = false;
  #silence: "none" | "wanted" | "announced" = "none";
  #resumed = false;
  #stopUnsent = false;
  #reached = true;
  #reportedState: LifecycleAnnouncer["state"] = "stopped";
  #broken: { readonly error: unknown } | null = null;

  constructor(parts: Monitored) {
    const { client, elapsed, tell, clock, version } = parts;
    this.#parts = parts;
    this.#service = new ServiceClient(client, elapsed, tell);
    this.#onDemand = new OnDemand(parts.collect, elapsed, tell);
    this.#heartbeats = new HeartbeatSender({
      service: this.#service,
      version,
      clock,
      tell,
      wanted: (collect) => this.#onDemand.want(collect),
    });
    this.#software = new SoftwareSender(parts.software, { service: this.#service, elapsed, tell });
    this.#asking = new SourceReader(parts.sources, tell);
    this.#install = parts.install;
    this.#watching = new SourceReader(parts.watched, tell);
  }

  /** Between two samples, ms. */
  get everyMs(): number {
    return this.#parts.everyMs ?? this.#heartbeats.everyMs;
  }

  /** Does the work that is due. Rejects with the error that ended the monitoring for good. */
  async tick(): Promise<void> {
    if (this.#broken) throw this.#broken.error;
    const { elapsed, queue } = this.#parts;
    await this.#checkPause();
    this.#inBackground(this.#readWatched());
    if (this.#stopUnsent) this.#inBackground(this.#tellStop());
    // Before a turn begins: if a turn takes as long as the interval, the queue would never be sent.
    if (queue.waiting > 0 || queue.gap) this.#inBackground(this.#drain());
    if (elapsed() >= this.#dueAt && !this.#turning) {
      const next = this.#dueAt + this.everyMs;
      this.#dueAt = next > elapsed() ? next : elapsed() + this.everyMs;
      this.#inBackground(this.#turn());
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.#onDemand.settled();
  }

  /** Announces that monitoring ends, if the server runs, and closes. */
  async end(): Promise<void> {
    this.#onDemand.end();
    this.#software.end();
    await this.settled();
    this.#service.insist();
    if (this.#stopUnsent) await this.#tellStop();
    else if (this.#lifecycle.speaks && this.#silence === "none") await this.#announce("monitoring_paused");
    await this.close();
  }

  /** Closes everything without an announcement. */
  async close(): Promise<void> {
    await Promise.all([this.#asking.close(), this.#watching.close()]);
    await this.#parts.queue.close();
  }

  /** Reads the server by its new settings from now on. */
  async changeInstall(parts: Pick<Monitored, "install" | "sources" | "software">): Promise<void> {
    const before = this.#asking;
    this.#software.use(parts.software);
    this.#asking = new SourceReader(parts.sources, this.#parts.tell);
    this.#install = parts.install;
    await before.close();
  }

  #inBackground(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        this.#broken ??= { error };
      })
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Reads what is watched; once at a time. */
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
      if (await this.#keepEvents(events, now)) await settle?.();
    }
  }

  #hear({ announced }: Reading, now: Instant): void {
    if (this.#lifecycle.hear(announced, now)) this.#stopUnsent = true;
    if (this.#stopUnsent) this.#inBackground(this.#tellStop());
  }

  async #tellStop(): Promise<void> {
    if (!this.#stopUnsent || !this.#service.open || this.#silence !== "none") return;
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
        this.#install.findProcess().catch(() => null),
        this.#readWatched(),
      ]);
      const polled = merged(readings);
      const reading = merged([polled, this.#gathered]);
      this.#gathered = {};
      this.#lifecycle.see({ pid: process?.pid ?? null, answered: isAnswer(polled) }, now);
      this.#hear(polled, now);
      this.#logState();
      await this.#keepEvents(polled.events ?? [], now);
      if (this.#silence === "none" && this.#lifecycle.speaks) await this.#speak(reading, now);
      if (this.#silence === "none" && this.#heartbeats.accepted)
        this.#inBackground(this.#software.look({ process, bootedAt: reading.bootedAt ?? null }));
    } finally {
      this.#turning = false;
    }
  }

  async #speak(reading: Reading, now: Instant): Promise<void> {
    const { sample, refused } = mergedSample(reading, now);
    for (const field of refused) this.#tellRefused(field);
    const arrived = this.#heartbeats.accepted ? await this.#keep([{ at: now, sample }]) : null;
    // The server may have announced its stop while the sample was written.
    if (!this.#lifecycle.speaks || this.#silence !== "none") return;
    const announce = this.#resumed ? "monitoring_resumed" : null;
    this.#reached = await this.#heartbeats.beat({ announce, sample, reading });
    if (!this.#reached) return;
    this.#resumed = false;
    await arrived?.();
  }

  async #checkPause(): Promise<void> {
    const { pause, tell } = this.#parts;
    const isOn = await pause.isOn();
    if (!isOn && this.#silence !== "none") {
      this.#silence = "none";
      this.#resumed = true;
      this.#dueAt = 0;
      tell("Monitoring continues.");
    }
    if (isOn && this.#silence === "none") {
      this.#silence = (await pause.isAnnounced()) ? "announced" : "wanted";
      tell("Monitoring is paused. tickmark agent resume ends the pause.");
    }
    if (this.#silence === "wanted" && this.#service.open) this.#inBackground(this.#tellPause());
  }

  async #tellPause(): Promise<void> {
    if (this.#silence !== "wanted" || !this.#lifecycle.speaks) return;
    this.#silence = "announced";
    if (await this.#announce("monitoring_paused")) await this.#parts.pause.announced();
    else if (this.#silence === "announced") this.#silence = "wanted";
  }

  /** Sends the queued entries, oldest first, once the service answers again. */
  async #drain(): Promise<void> {
    const { queue, tell } = this.#parts;
    const mayReach =
      this.#service.open && this.#heartbeats.accepted && (this.#reached || !this.#lifecycle.speaks);
    if (this.#draining || this.#turning || !mayReach) return;
    this.#draining = true;
    try {
      const delivered = await deliverWaiting(queue, this.#service);
      if (delivered > 0) tell(`${delivered} samples that waited on disk were delivered.`);
    } finally {
      this.#draining = false;
    }
  }

  /** True if none of the events has to be read again. */
  async #keepEvents(events: readonly EventBody[], now: Instant): Promise<boolean> {
    if (!this.#heartbeats.accepted || this.#silence !== "none") return true;
    const taken = events.filter((event) => {
      const isTaken = ReportedEvent.safeParse(event).success;
      if (!isTaken) this.#tellRefused(`an event of ${oneLine(event.source)}`);
      return isTaken;
    });
    for (let from = 0; from < taken.length; from += keptAtOnce) {
      const part = taken.slice(from, from + keptAtOnce).map((event) => ({ at: now, event }));
      if ((await this.#keep(part)) === null) return false;
    }
    return true;
  }

  /** Null if the disk takes nothing: then the entries are sent without a copy on disk. */
  async #keep(entries: readonly Entry[]): Promise<(() => Promise<void>) | null> {
    try {
      return await this.#parts.queue.append(...entries);
    } catch (error) {
      this.#parts.tell(`Unsent data cannot be kept on disk (${oneLine(error)}).`);
      return null;
    }
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
