import { lastDaySlot } from "../../src/core/health/day-slot.ts";
import { serviceJobs } from "../../src/jobs/jobs.ts";
import { storedHealthOf } from "../../src/store/health/server-health.ts";
import type { StoredHealth } from "../../src/core/health/stored-health.ts";
import { alertingScene, type AlertingScene } from "../endpoints/alert/alerting.ts";
import type { Json } from "../support/payload.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];

/**
 * A server whose minutes are played with the job of health between them. They begin when the server's time of the day
 * (by a hash of its id, which is another in each run) was an hour ago, so that it comes into no test that plays less than
 * a day.
 */
export interface PlayedHealth {
  readonly scene: AlertingScene;
  /** What failed without ending the job. */
  readonly warned: unknown[];
  /** So many minutes of samples, one every 30 seconds. */
  play(minutes: number, values: Json): Promise<void>;
  /** So many minutes without a sample. */
  silence(minutes: number): Promise<void>;
  stored(): Promise<StoredHealth | null>;
  diagnose(query?: string): Promise<Json>;
  /** The severities and verdicts of the entries about its health, newest first. */
  changes(): Promise<unknown[]>;
}

export async function playedHealth(): Promise<PlayedHealth> {
  const scene = await alertingScene();
  const { clock } = scene.test;
  const { id } = scene.server;
  clock.advance(lastDaySlot(id, clock.now) + 25 * hour - clock.now);
  const warned: unknown[] = [];
  let previous: number | null = null;
  const turn = async (): Promise<void> => {
    const { db, plans, secrets, clock: time } = scene.test.app;
    const { signal } = new AbortController();
    const warn = (_job: string, error: unknown): void => void warned.push(error);
    const jobs = serviceJobs({ db, plans, secrets, clock: time, warn, signal });
    await jobs.find(({ name }) => name === "health")?.run(previous);
    previous = clock.now;
  };
  return {
    scene,
    warned,
    async play(minutes, values) {
      for (let index = 0; index < minutes * 2; index += 1) {
        clock.advance(30 * second);
        await scene.beat(values);
        if (index % 2 === 1) await turn();
      }
    },
    async silence(minutes) {
      for (let index = 0; index < minutes; index += 1) {
        clock.advance(minute);
        await turn();
      }
    },
    stored: () => scene.test.app.db.read(storedHealthOf, id),
    async diagnose(query = "") {
      return (await scene.ask("GET", `/servers/${id}/health${query}`)).body;
    },
    async changes() {
      const { body } = await scene.ask("GET", `/servers/${id}/events?type=health_changed`);
      return (body["data"] as Json[]).map(({ severity, metadata }) => [severity, (metadata as Json)["to"]]);
    },
  };
}
