import type { Meaning } from "../../parts/state.tsx";

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
  not_claimed: "No runner took the job within 30 minutes.",
  not_started: "No run began within 10 minutes.",
  agent_silent: "The runner of the job stopped sending.",
  took_too_long: "The job took longer than its runs may take.",
  failed: "A run failed, and the runner gave no reason.",
};

/** An unknown code is shown as it is. */
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
