import { percentUp } from "../health/availability.ts";
import type { Availability } from "../health/health.ts";
import { shownDuration } from "../text/plain-words.ts";
import { minuteMs, secondMs } from "../time.ts";
import { counted } from "./words.ts";

/** A shorter gap is not mentioned: samples never start exactly with the week. */
const smallGapMs = 30 * minuteMs;

/** Empty if the whole week is known. */
function knownWords(unmonitoredSeconds: number, lengthMs: number): string {
  const unmonitored = unmonitoredSeconds * secondMs;
  return unmonitored < smallGapMs
    ? ""
    : `; monitored for ${shownDuration(lengthMs - unmonitored)} of ${shownDuration(lengthMs)}`;
}

export function availabilityWords(availability: Availability, lengthMs: number): string {
  const { down_seconds, incidents, unmonitored_seconds } = availability;
  const percent = percentUp(availability);
  if (percent === null) return "Its availability was not measured.";
  const down = down_seconds > 0 ? `, down for ${shownDuration(down_seconds * secondMs)}` : "";
  const often = incidents > 0 ? `, ${counted(incidents, "incident")}` : "";
  return `Available ${percent} %${often}${down}${knownWords(unmonitored_seconds, lengthMs)}.`;
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
  const percent = percentUp({ up_seconds: sum("up_seconds"), down_seconds: sum("down_seconds") });
  return `Availability: ${percent} % on ${counted(measured.length, "server")}, ${counted(sum("incidents"), "incident")}${partly}${missing}.`;
}
