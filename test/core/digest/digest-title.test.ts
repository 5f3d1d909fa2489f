import { expect, it } from "vitest";
import { digestMessage } from "../../../src/core/digest/digest-message.ts";
import type { DigestFacts, DigestServer } from "../../../src/core/digest/facts.ts";
import { day, factsOf, server, turn, upAllWeek } from "./digest-facts.ts";

it("[OUR-DIG-110] its title names the worst of now, open alerts, outages and findings", () => {
  const outage = { ...upAllWeek, incidents: 2 };
  const found = [turn(1, "degraded", ["tick_spikes"], day)];
  const titled = (changes: Partial<DigestServer>, more: Partial<DigestFacts> = {}) => {
    const { title, tone } = digestMessage(factsOf([server(1, changes), server(2)], more), "email");
    return [title, tone];
  };
  const all = { openAlerts: 1, turns: found };
  const ill = { availability: outage, reasons: ["tick_spikes"] satisfies DigestServer["reasons"] };
  expect(titled({ ...ill, verdict: "down", reasons: ["server_down"] }, all)).toEqual([
    "Weekly digest: 1 of 2 servers down",
    "bad",
  ]);
  expect(titled({ ...ill, verdict: "critical", reasons: ["tick_spikes"] }, all)).toEqual([
    "Weekly digest: 1 of 2 servers with problems",
    "bad",
  ]);
  expect(titled({ availability: outage }, all)).toEqual(["Weekly digest: 1 open alert, 2 servers", "info"]);
  expect(titled({ availability: outage }, { ...all, openAlerts: 0 })).toEqual([
    "Weekly digest: 2 outages in the week, 2 servers",
    "info",
  ]);
  expect(titled({ verdict: "degraded", reasons: ["tick_spikes"] })).toEqual([
    "Weekly digest: 1 of 2 servers with problems",
    "info",
  ]);
  expect(titled({}, { ...all, openAlerts: 0 })).toEqual([
    "Weekly digest: 1 finding in the week, 2 servers",
    "info",
  ]);
});
