import { Refusal } from "../core/errors.ts";
import { runTask, type DocumentJob } from "./tasks.ts";

/** How a job ended, in a form that passes from thread to thread: the class of an error does not. */
export type TaskOutcome =
  | { readonly kind: "done"; readonly value: unknown }
  | {
      readonly kind: "refused";
      readonly refusal: Pick<Refusal, "code" | "message" | "details" | "bodyBytes">;
    }
  | { readonly kind: "failed"; readonly error: unknown };

/** Runs a job to its end. */
export function outcomeOf(job: DocumentJob): TaskOutcome {
  try {
    return { kind: "done", value: runTask(job) };
  } catch (error) {
    if (!(error instanceof Refusal)) return { kind: "failed", error };
    const { code, message, details, bodyBytes } = error;
    return { kind: "refused", refusal: { code, message, details, bodyBytes } };
  }
}

/** The value of a job that was done; throws why another was not. */
export function outcomeValue(outcome: TaskOutcome): unknown {
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind === "failed") throw outcome.error;
  const { code, message, details, bodyBytes } = outcome.refusal;
  throw Object.assign(new Refusal(code, message, details), { bodyBytes });
}
