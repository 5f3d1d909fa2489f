import type { EndWitness } from "../process/end-witness.ts";
import { harmless, lifecycle, notStarted, type LoggedEvent } from "./log-events.ts";
import type { ProcessEnd } from "./process-end.ts";

/** What the log says of the process that ended. */
export interface LogOfEnd {
  /** False if its words are unknown, or a second start of the server took its file. */
  readonly isComplete: boolean;
  readonly wasReady: boolean;
  readonly ranOutOfMemory: boolean;
}

const crash = (title: string, metadata: Readonly<Record<string, unknown>>): LoggedEvent => ({
  ...lifecycle("server_crash", "error", title),
  metadata,
});

const reportOf = (file: string | null): Readonly<Record<string, string>> =>
  file === null ? {} : { crash_report: harmless(file, 100) };

/** An end that its log does not explain. */
export function unexplainedEnd(end: ProcessEnd | null, log: LogOfEnd): LoggedEvent {
  const witness = end?.witness ?? null;
  const event = witness && (log.wasReady ? witnessed(witness) : failedStart(witness));
  if (event) return event;
  if (!log.wasReady) return notStarted({ why: "it ended before it was ready", reason: "process_ended" });
  if (log.ranOutOfMemory) return crash("Server ended: it had run out of memory", { reason: "out_of_memory" });
  if (!log.isComplete && witness?.is === "orderly")
    return {
      ...lifecycle("server_stop", "info", "Server stopped: its process ended in order, and no log says why"),
      metadata: { reason: "process_ended" },
    };
  if (!log.isComplete && end && end.successorAt !== null)
    return {
      ...lifecycle(
        "restart",
        "info",
        "Server restarted: another process runs in its place, and no log says why",
      ),
      metadata: { reason: "process_ended" },
    };
  return crash(
    log.isComplete
      ? "Server ended unexpectedly: its log has no stop and no crash"
      : "Server ended, and nothing says why",
    { reason: "process_ended", ...(witness?.is === "exited" && { exit_status: witness.status }) },
  );
}

function witnessed(witness: EndWitness): LoggedEvent | null {
  switch (witness.is) {
    case "jvm_crashed":
      return crash(`Server crashed: its JVM crashed (${harmless(witness.what, 200)})`, {
        reason: "jvm_crashed",
        ...reportOf(witness.file),
      });
    case "out_of_memory":
      return crash(`Server ended: out of memory (${harmless(witness.what, 200)})`, {
        reason: "out_of_memory",
        ...reportOf(witness.file),
      });
    case "killed":
      return witness.by === "signal"
        ? crash("Server was killed: its process got no time to end", { reason: "killed" })
        : crash("Server was killed: the kernel ended it because its control group had no memory left", {
            reason: "killed",
            out_of_memory: true,
          });
    case "crashed":
      return crash(
        witness.what === null ? "Server crashed" : `Server crashed: ${harmless(witness.what, 200)}`,
        reportOf(witness.file),
      );
    case "exited":
    case "orderly":
      return null;
  }
}

function failedStart(witness: EndWitness): LoggedEvent | null {
  switch (witness.is) {
    case "jvm_crashed":
      return notStarted({
        why: `its JVM crashed (${witness.what})`,
        report: witness.file,
        reason: witness.is,
      });
    case "out_of_memory":
      return notStarted({ why: `out of memory (${witness.what})`, report: witness.file, reason: witness.is });
    case "killed":
      return notStarted({
        why:
          witness.by === "signal"
            ? "it was killed before it was ready"
            : "the kernel ended it because its control group had no memory left",
        reason: "killed",
      });
    case "crashed":
      return notStarted({ why: witness.what ?? "it crashed", report: witness.file });
    case "exited":
      return notStarted({
        why: `it ended with status ${witness.status} before it was ready`,
        reason: "process_ended",
      });
    case "orderly":
      return null;
  }
}
