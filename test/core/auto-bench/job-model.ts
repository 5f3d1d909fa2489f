import type { JobStatus } from "../../../src/core/auto-bench/job.ts";

const minute = 60_000;

/** What happens to a job. */
export type Happening =
  | { readonly kind: "time" | "claim" | "cancel" | "report" }
  | { readonly kind: "heartbeat"; readonly starts: boolean }
  | { readonly kind: "finish"; readonly outcome: "succeeded" | "failed" | "cancelled" };

/** A job as the table of states tells of it, one sentence a rule, and nothing kept that no rule asks for. */
export interface Model {
  status: JobStatus;
  queued: number;
  claimed: number;
  started: number;
  seen: number;
  asked: number;
  requeues: number;
  reports: number;
}

export const newModel = (now: number): Model => ({
  status: "queued",
  queued: now,
  claimed: 0,
  started: 0,
  seen: 0,
  asked: 0,
  requeues: 0,
  reports: 0,
});

const over = (status: JobStatus): boolean =>
  ["succeeded", "failed", "cancelled", "timed_out"].includes(status);

/** Clocks are not set in this model: that time only passes is what its rules read. */
function pass(model: Model, now: number, runs: number): void {
  const before = model.status;
  if (before === "queued" && now >= model.queued + 30 * minute) model.status = "timed_out";
  if (before === "claimed" && now >= model.claimed + 10 * minute) {
    model.status = model.requeues === 0 ? "queued" : "timed_out";
    model.requeues += 1;
    model.queued = now;
  }
  if (before === "running") {
    if (now >= Math.max(model.seen, model.started) + 5 * minute) model.status = "timed_out";
    if (now >= model.started + 45 * minute * runs) model.status = "timed_out";
  }
  if (before === "cancelling" && now >= model.asked + 5 * minute) model.status = "cancelled";
}

function start(model: Model, now: number): void {
  if (model.status !== "claimed") return;
  model.status = "running";
  model.started = now;
}

/** Moves the model; answers whether what happened was taken. */
export function happen(model: Model, event: Happening, now: number, runs: number): boolean {
  pass(model, now, runs);
  const { status } = model;
  const held = ["claimed", "running", "cancelling"].includes(status);
  switch (event.kind) {
    case "time":
      return true;
    case "claim":
      if (status !== "queued") return false;
      Object.assign(model, { status: "claimed", claimed: now, seen: now });
      return true;
    case "cancel":
      if (status === "queued") model.status = "cancelled";
      if (status === "claimed" || status === "running")
        Object.assign(model, { status: "cancelling", asked: now });
      return !over(status);
    case "report":
      if (!held) return false;
      model.reports += 1;
      start(model, now);
      return true;
    case "heartbeat":
      if (!held) return false;
      model.seen = now;
      if (event.starts) start(model, now);
      return true;
    case "finish":
      if (status === event.outcome) return true;
      if (!held) return false;
      if (event.outcome === "succeeded" && model.reports < runs) return false;
      if (event.outcome === "cancelled" && status !== "cancelling") return false;
      model.status = event.outcome;
      return true;
  }
}
