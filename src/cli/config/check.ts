import type { Config } from "../../app/config/config.ts";

/** What a check of the configuration found. */
export interface CheckResult {
  /** `note`: nothing that keeps the service from working, or what could not be looked at. */
  readonly state: "ok" | "note" | "failed";
  /** A sentence with what was found, and what to do where something is wrong. */
  readonly words: string;
}

/** What checks may use. */
export interface Checked {
  readonly config: Config;
  /** Where to send a test mail; null: to nobody. */
  readonly mailTo: string | null;
}

/** Something that the service depends on, and that is tried. A failure that it does not know it throws. */
export interface ConfigCheck {
  readonly name: string;
  readonly run: (checked: Checked) => Promise<readonly CheckResult[]>;
}

export const ok = (words: string): CheckResult => ({ state: "ok", words });
export const note = (words: string): CheckResult => ({ state: "note", words });
export const wrong = (words: string): CheckResult => ({ state: "failed", words });
