import type { Meaning } from "../../parts/state.tsx";

/** States of a job, with what each looks like. */
export const statuses: Readonly<Record<string, readonly [Meaning, string]>> = {
  queued: ["unknown", "Waits for a runner"],
  claimed: ["unknown", "A runner prepares it"],
  running: ["watch", "Runs"],
  cancelling: ["watch", "Is being cancelled"],
  succeeded: ["good", "Succeeded"],
  failed: ["bad", "Failed"],
  cancelled: ["silenced", "Cancelled"],
  timed_out: ["bad", "Timed out"],
};

const reasons: Readonly<Record<string, string>> = {
  not_claimed: "No runner took it within 30 minutes.",
  not_started: "No run began within 10 minutes.",
  agent_silent: "Its runner fell silent.",
  took_too_long: "It took longer than its runs may.",
  failed: "A run failed; its runner did not say why.",
};

/** Why a job did not succeed; a reason that is not known here as it is. */
export const reasonInWords = (code: string): string => reasons[code] ?? code;

export const triggers: Readonly<Record<string, string>> = {
  schedule: "by schedule",
  run_now: "by hand",
  internal: "by the operator",
};

export const stages: Readonly<Record<string, string>> = {
  waiting_agent: "waits for a runner",
  preparing: "prepares",
  starting_server: "starts the server",
  running_tests: "runs the tests",
  uploading: "uploads",
  done: "done",
};

export const isOver = (status: string): boolean =>
  !["queued", "claimed", "running", "cancelling"].includes(status);
