import type { Availability } from "../health/health.ts";
import { shownDuration } from "../text/plain-words.ts";
import { minuteMs, secondMs } from "../time.ts";
import { counted } from "./words.ts";

/** A shorter gap is not mentioned: samples never start exactly with the week. */
const smallGapMs = 30 * minuteMs;

/** Floored to two decimals, so that a week with an incident is never 100 %. */
const percentOf = (up: number, down: number): string => `${Math.floor((up / (up + down)) * 10_000) / 100} %`;

/** Empty if the whole week is known. */
function knownWords(unmonitoredSeconds: number, lengthMs: number): string {
  const unmonitored = unmonitoredSeconds * secondMs;
  return unmonitored < smallGapMs
    ? ""
    : `; monitored for ${shownDuration(lengthMs - unmonitored)} of ${shownDuration(lengthMs)}`;
}

export function availabilityWords(availability: Availability, lengthMs: number): string {
  const { up_seconds, down_seconds, incidents, unmonitored_seconds } = availability;
  if (up_seconds + down_seconds === 0) return "Its availability was not measured.";
  const down = down_seconds > 0 ? `, down for ${shownDuration(down_seconds * secondMs)}` : "";
  const often = incidents > 0 ? `, ${counted(incidents, "incident")}` : "";
  return `Available ${percentOf(up_seconds, down_seconds)}${often}${down}${knownWords(unmonitored_seconds, lengthMs)}.`;
}

export function fleetAvailability(of: readonly Availability[]): string {
  const measured = of.filter(({ percent }) => percent !== null);
  const sum = (field: "up_seconds" | "down_seconds" | "incidents"): number =>
    measured.reduce((total, availability) => total + availability[field], 0);
  if (measured.length === 0) return "Availability: not measured.";
  const unmeasured = of.length - measured.length;
  const missing = unmeasured > 0 ? `; not measured on ${counted(unmeasured, "server")}` : "";
  const incomplete = measured.filter(
    ({ unmonitored_seconds }) => unmonitored_seconds * secondMs >= smallGapMs,
  ).length;
  const partly = incomplete > 0 ? `; ${counted(incomplete, "server")} for a part of the week` : "";
  return `Availability: ${percentOf(sum("up_seconds"), sum("down_seconds"))} on ${counted(measured.length, "server")}, ${counted(sum("incidents"), "incident")}${partly}${missing}.`;
}
