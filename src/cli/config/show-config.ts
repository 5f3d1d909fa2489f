import { processConfig, processSettings, type Config } from "../../app/config/config.ts";
import { isMailAddress } from "../../core/notice/mail-address.ts";
import { CommandError, exitStatus, printResult } from "../output.ts";
import { wrong, type Checked } from "./check.ts";
import { configChecks } from "./checks/registry.ts";
import { readSettingsFile, type SettingsFile } from "./config-file.ts";
import { oneError } from "./one-error.ts";
import { shownSettings, type ShownSetting } from "./shown-settings.ts";

export interface ConfigOptions {
  /** A file of settings, such as /etc/tickmark.env, which replace those of the environment. */
  readonly file?: string;
  readonly json: boolean;
}

const fileOf = ({ file }: ConfigOptions): SettingsFile | null =>
  file === undefined ? null : readSettingsFile(file);

const configWith = (file: SettingsFile | null): Config => processConfig(file?.settings);

/** Opens no database, and makes no secret. */
export async function showConfig(options: ConfigOptions): Promise<void> {
  const file = fileOf(options);
  const settings = shownSettings(configWith(file), processSettings(), file);
  printResult(options.json, { settings }, tableOf(settings.map(rowOf)));
}

const rowOf = ({ name, value, from, file }: ShownSetting): readonly string[] => [
  name,
  value === null ? "-" : typeof value === "object" ? value.join(", ") : String(value),
  file === null ? from : `${from} ${file}`,
];

function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, place) => Math.max(...rows.map((row) => (row[place] ?? "").length)));
  return rows.map((row) =>
    row.map((cell, place) => (place === row.length - 1 ? cell : cell.padEnd(widths[place] ?? 0))).join("  "),
  );
}

/** The exit status is 1 if a check failed. */
export async function checkConfig(options: ConfigOptions & { readonly mailTo?: string }): Promise<void> {
  const checked: Checked = { config: configWith(fileOf(options)), mailTo: options.mailTo ?? null };
  const { config, mailTo } = checked;
  if (mailTo !== null && !isMailAddress(mailTo))
    throw new CommandError(
      `--mail-to takes a mail address, not ${JSON.stringify(mailTo)}.`,
      exitStatus.usage,
    );
  const found = [];
  for (const { name, run } of configChecks) {
    const results = await run(checked).catch((error: unknown) => [wrong(oneError(error, config))]);
    found.push(...results.map(({ state, words }) => ({ check: name, state, words })));
  }
  const passed = found.every(({ state }) => state !== "failed");
  const rows = found.map(({ state, check, words }) => [state, check, words]);
  printResult(options.json, { passed, checks: found }, tableOf(rows));
  if (!passed) process.exitCode = exitStatus.failed;
}
