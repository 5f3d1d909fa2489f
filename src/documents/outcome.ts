import { Refusal } from "../core/errors.ts";
import { runTask, type DocumentJob } from "./tasks.ts";

/** How a job ended, in a form that passes between threads: an error loses its class there. */
export type TaskOutcome =
  | { readonly kind: "done"; readonly value: unknown }
  | {
      readonly kind: "refused";
      readonly refusal: Pick<Refusal, "code" | "message" | "details" | "bodyBytes">;
    }
  | { readonly kind: "failed"; readonly error: unknown };

export function outcomeOf(job: DocumentJob): TaskOutcome {
  try {
    return { kind: "done", value: runTask(job) };
  } catch (error) {
    if (!(error instanceof Refusal)) return { kind: "failed", error };
    const { code, message, details, bodyBytes } = error;
    return { kind: "refused", refusal: { code, message, details, bodyBytes } };
  }
}

/** Throws if the job was refused or failed. */
export function outcomeValue(outcome: TaskOutcome): unknown {
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind === "failed") throw outcome.error;
  const { code, message, details, bodyBytes } = outcome.refusal;
  throw Object.assign(new Refusal(code, message, details), { bodyBytes });
}
