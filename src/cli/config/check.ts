import type { Config } from "../../app/config/config.ts";

export interface CheckResult {
  /** `note`: something that does not stop the service, or that could not be checked. */
  readonly state: "ok" | "note" | "failed";
  /** What was found, and what to do if something is wrong. */
  readonly words: string;
}

export interface Checked {
  readonly config: Config;
  /** Null: no test mail is sent. */
  readonly mailTo: string | null;
}

/** `run` throws failures that the check does not know. */
export interface ConfigCheck {
  readonly name: string;
  readonly run: (checked: Checked) => Promise<readonly CheckResult[]>;
}

export const ok = (words: string): CheckResult => ({ state: "ok", words });
export const note = (words: string): CheckResult => ({ state: "note", words });
export const wrong = (words: string): CheckResult => ({ state: "failed", words });
