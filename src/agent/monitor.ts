import { ReportedEvent } from "../core/event/reported-event.ts";
import type { Instant } from "../core/time.ts";
import type { EventBody, PluginClient } from "../outbound/plugin-client.ts";
import { SourceReader } from "./sources/read-source.ts";
import { deliverBatch, reportGap } from "./send/deliver.ts";
import { HeartbeatSender } from "./send/heartbeat-sender.ts";
import { continued, merged, mergedSample } from "./sources/merge.ts";
import { OnDemand, type Collect } from "./collect/on-demand.ts";
import { oneLine } from "./one-line.ts";
import type { ServerInstall } from "./install/server-install.ts";
import { isAnswer, LifecycleAnnouncer } from "./send/lifecycle-announcer.ts";
import type { Entry } from "./send/queue-file.ts";
import type { Queue } from "./send/queue.ts";
import type { Reading, Source } from "./sources/source.ts";
import { ServiceClient } from "./send/service-client.ts";

export interface Monitored {
  readonly place: Pick<ServerInstall, "findProcess">;
  /** The most trusted first. */
  readonly sources: readonly Source[];
  /** Read with every tick, for what they announce cannot wait; believed after the others. */
  readonly watched: readonly Source[];
  readonly client: PluginClient;
  readonly queue: Queue;
  readonly version: string;
  /** The owner's wish for silence, and whether the service knows of it. */
  readonly pause: { isOn(): Promise<boolean>; isAnnounced(): Promise<boolean>; announced(): Promise<void> };
  readonly collect: Collect;
  /** Wall time, and time that never jumps, ms. */
  readonly clock: () => Instant;
  readonly elapsed: () => number;
  readonly tell: (line: string) => void;
  /** Between two samples, ms; null: as the service asks. */
  readonly everyMs: number | null;
}

/** So many events are written to disk in one piece: each waits for the disk. */
const keptAtOnce = 250;

/**
 * Watches one game server and speaks for it: a sample and a heartbeat with every turn, what it announces at once.
 * Time passes in `tick` alone, which never waits for a source or for the service.
 */
export class Monitor {
  readonly #parts: Monitored;
  readonly #uplink: ServiceClient;
  readonly #heart: HeartbeatSender;
  readonly #onDemand: OnDemand;
  #asking: SourceReader;
  #place: Monitored["place"];
  readonly #watching: SourceReader;
  readonly #presence = new LifecycleAnnouncer();
  readonly #underWay = new Set<Promise<void>>();
  readonly #refusedFields = new Set<string>();
  #gathered: Reading = {};
  #dueAt = 0;
  #turning = false;
  #watch: Promise<void> | null = null;
  #draining = false;
  #silence: "none" | "wanted" | "announced" = "none";
  #resumed = false;
  #stopUntold = false;
  #reached = true;
  #told: LifecycleAnnouncer["state"] = "stopped";
  #broken: { readonly error: unknown } | null = null;

  constructor(parts: Monitored) {
    const { client, elapsed, tell, clock, version } = parts;
    this.#parts = parts;
    this.#uplink = new ServiceClient(client, elapsed, tell);
    this.#onDemand = new OnDemand(parts.collect, elapsed, tell);
    this.#heart = new HeartbeatSender({
      uplink: this.#uplink,
      version,
      clock,
      tell,
      wanted: (collect) => this.#onDemand.want(collect),
    });
    this.#asking = new SourceReader(parts.sources, tell);
    this.#place = parts.place;
    this.#watching = new SourceReader(parts.watched, tell);
  }

  /** Between two samples, ms. */
  get everyMs(): number {
    return this.#parts.everyMs ?? this.#heart.everyMs;
  }

  /** Does what is due. Rejects with what ended the monitoring for good. */
  async tick(): Promise<void> {
    if (this.#broken) throw this.#broken.error;
    const { elapsed, queue } = this.#parts;
    await this.#lookForPause();
    this.#inBackground(this.#look());
    if (this.#stopUntold) this.#inBackground(this.#tellStop());
    // Before a turn begins, or turns that take as long as there is between two would leave it no room.
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

  /** Says that monitoring ends, as far as it speaks for the server, and closes. */
  async end(): Promise<void> {
    this.#onDemand.end();
    await this.settled();
    this.#uplink.insist();
    if (this.#stopUntold) await this.#tellStop();
    else if (this.#presence.speaks && this.#silence === "none") await this.#announce("monitoring_paused");
    await this.close();
  }

  /** Lets go of everything, without a word. */
  async close(): Promise<void> {
    await Promise.all([this.#asking.close(), this.#watching.close()]);
    await this.#parts.queue.close();
  }

  /** From now on the server is looked at there: its settings were changed. */
  async lookAt({ place, sources }: Pick<Monitored, "place" | "sources">): Promise<void> {
    const before = this.#asking;
    this.#asking = new SourceReader(sources, this.#parts.tell);
    this.#place = place;
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
  #look(): Promise<void> {
    this.#watch ??= this.#lookOnce().finally(() => {
      this.#watch = null;
    });
    return this.#watch;
  }

  async #lookOnce(): Promise<void> {
    const now = this.#parts.clock();
    for (const { events = [], settle, ...reading } of await this.#watching.read(now)) {
      this.#gathered = continued(this.#gathered, reading);
      this.#hear(reading, now);
      if (await this.#keepEvents(events, now)) await settle?.();
    }
  }

  #hear({ announced }: Reading, now: Instant): void {
    if (this.#presence.hear(announced, now)) this.#stopUntold = true;
    if (this.#stopUntold) this.#inBackground(this.#tellStop());
  }

  async #tellStop(): Promise<void> {
    if (!this.#stopUntold || !this.#uplink.open || this.#silence !== "none") return;
    this.#stopUntold = false;
    if (await this.#announce("stopping")) this.#parts.tell("The server stops; the service knows.");
    // Unless it is there again meanwhile, of which the next heartbeat speaks.
    else this.#stopUntold = !this.#presence.speaks;
  }

  #announce(announce: "stopping" | "monitoring_paused"): Promise<boolean> {
    return this.#heart.beat({ announce, sample: null, reading: {} });
  }

  async #turn(): Promise<void> {
    this.#turning = true;
    try {
      const now = this.#parts.clock();
      const [readings, process] = await Promise.all([
        this.#asking.read(now),
        this.#place.findProcess().catch(() => null),
        this.#look(),
      ]);
      const asked = merged(readings);
      const reading = merged([asked, this.#gathered]);
      this.#gathered = {};
      this.#presence.see({ pid: process?.pid ?? null, answered: isAnswer(asked) }, now);
      this.#hear(asked, now);
      this.#tellPresence();
      await this.#keepEvents(asked.events ?? [], now);
      if (this.#silence === "none" && this.#presence.speaks) await this.#speak(reading, now);
    } finally {
      this.#turning = false;
    }
  }

  async #speak(reading: Reading, now: Instant): Promise<void> {
    const { sample, refused } = mergedSample(reading, now);
    for (const field of refused) this.#tellRefused(field);
    const arrived = this.#heart.accepted ? await this.#keep([{ at: now, sample }]) : null;
    // It may have said that it stops while this was written.
    if (!this.#presence.speaks || this.#silence !== "none") return;
    const announce = this.#resumed ? "monitoring_resumed" : null;
    this.#reached = await this.#heart.beat({ announce, sample, reading });
    if (!this.#reached) return;
    this.#resumed = false;
    await arrived?.();
  }

  async #lookForPause(): Promise<void> {
    const { pause, tell } = this.#parts;
    const isOn = await pause.isOn();
    if (!isOn && this.#silence !== "none") {
      this.#silence = "none";
      this.#resumed = true;
      this.#dueAt = 0;
      tell("Monitoring goes on.");
    }
    if (isOn && this.#silence === "none") {
      this.#silence = (await pause.isAnnounced()) ? "announced" : "wanted";
      tell("Monitoring is paused until tickmark agent resume.");
    }
    if (this.#silence === "wanted" && this.#uplink.open) this.#inBackground(this.#tellPause());
  }

  async #tellPause(): Promise<void> {
    if (this.#silence !== "wanted" || !this.#presence.speaks) return;
    this.#silence = "announced";
    if (await this.#announce("monitoring_paused")) await this.#parts.pause.announced();
    else if (this.#silence === "announced") this.#silence = "wanted";
  }

  /** Sends what waited, oldest first, once the service answers again. */
  async #drain(): Promise<void> {
    const { queue, tell } = this.#parts;
    const mayReach = this.#uplink.open && this.#heart.accepted && (this.#reached || !this.#presence.speaks);
    if (this.#draining || this.#turning || !mayReach) return;
    this.#draining = true;
    try {
      let delivered = 0;
      for (let batch = await queue.oldest(); batch; batch = await queue.oldest()) {
        if ((await deliverBatch(batch, queue, this.#uplink)) !== "all") break;
        delivered += batch.entries.filter((entry) => "sample" in entry).length;
      }
      if (delivered > 0) tell(`${delivered} samples that waited on disk are delivered.`);
      await reportGap(queue, this.#uplink);
    } finally {
      this.#draining = false;
    }
  }

  /** True when none of them has to be read again. */
  async #keepEvents(events: readonly EventBody[], now: Instant): Promise<boolean> {
    if (!this.#heart.accepted || this.#silence !== "none") return true;
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

  /** Null where the disk takes nothing: then it is sent without a net. */
  async #keep(entries: readonly Entry[]): Promise<(() => Promise<void>) | null> {
    try {
      return await this.#parts.queue.append(...entries);
    } catch (error) {
      this.#parts.tell(`What waits cannot be kept on disk (${oneLine(error)}).`);
      return null;
    }
  }

  #tellRefused(what: string): void {
    if (this.#refusedFields.has(what)) return;
    this.#refusedFields.add(what);
    this.#parts.tell(`${what}: a source told something the service would refuse; it is left out.`);
  }

  #tellPresence(): void {
    const { state } = this.#presence;
    if (state === this.#told) return;
    this.#told = state;
    if (state === "there") this.#parts.tell("The server is there.");
    if (state === "gone")
      this.#parts.tell("The server is not there (no process, no answer); no heartbeat is sent until it is.");
  }
}
