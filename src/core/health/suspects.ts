import { z } from "zod";
import type { EventRecord } from "../event/server-event.ts";
import { longestSuspect } from "./health.ts";

/** What a crash report names, as the agent sends it with the event. */
const Reported = z.object({ suspects: z.array(z.string()) });
const mostSuspects = 5;

const cut = (name: string): string => Array.from(name).slice(0, longestSuspect).join("");

/** What the crash report of an entry with this metadata suspects; empty without one. Third-party text. */
export function suspectsIn(metadata: unknown): readonly string[] {
  const { data } = Reported.safeParse(metadata);
  return (data?.suspects ?? []).slice(0, mostSuspects).map(cut);
}

/** The same of the newest crash; `events` come newest first. */
export const suspectsOfNewest = (events: readonly EventRecord[]): readonly string[] =>
  suspectsIn(events.find(({ type }) => type === "server_crash")?.metadata);
