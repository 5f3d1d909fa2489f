import { existsSync } from "node:fs";
import type { Config } from "../../app/config/config.ts";
import type { Environment } from "../../app/config/connector-config.ts";
import { serviceSettings, type ServiceSetting } from "../../app/config/known-settings.ts";
import { withoutPasswords } from "./without-passwords.ts";

export type Origin = "default" | "environment" | "file";

/** Secrets are hidden. */
export interface ShownSetting {
  readonly name: ServiceSetting;
  /** Null: off, or not set. */
  readonly value: string | number | boolean | readonly string[] | null;
  readonly from: Origin;
  /** Null if the value does not come from a file. */
  readonly file: string | null;
}

const hidden = "(hidden)";

/** The value of each setting as the service uses it, not as it was written. */
const valueOf: Readonly<Record<ServiceSetting, (config: Config) => ShownSetting["value"]>> = {
  TICKMARK_HOST: ({ host }) => host,
  TICKMARK_PORT: ({ port }) => port,
  TICKMARK_BASE_URL: ({ baseUrl }) => baseUrl,
  TICKMARK_DATABASE_URL: ({ databaseUrl }) => withoutPasswords(databaseUrl),
  TICKMARK_DATABASE_READ_URL: ({ databaseReadUrl }) => databaseReadUrl && withoutPasswords(databaseReadUrl),
  TICKMARK_SECRET: () => hidden,
  TICKMARK_TRUST_PROXY: ({ trustProxy }) => (trustProxy.length === 0 ? null : trustProxy),
  TICKMARK_PLANS: ({ plansFile }) => plansFile,
  TICKMARK_ACCESS_LOG: ({ accessLog }) => onOff(accessLog),
  TICKMARK_CLIENT_DOCUMENTS: ({ clientDocuments }) => onOff(clientDocuments),
  TICKMARK_MODERATION: ({ moderation }) => onOff(moderation),
  TICKMARK_SIGN_UP: ({ signUp }) => signUp,
  TICKMARK_SMTP_URL: ({ smtpUrl }) => smtpUrl && withoutPasswords(smtpUrl),
  TICKMARK_MAIL_FROM: ({ mailFrom: { name, address } }) => (name === "" ? address : `${name} <${address}>`),
  TICKMARK_STOP_SECONDS: ({ stopMs }) => stopMs / 1000,
  TICKMARK_DRAIN_SECONDS: ({ drainMs }) => drainMs / 1000,
  TICKMARK_LOG_LEVEL: ({ logLevel }) => logLevel,
  TICKMARK_LOG_FORMAT: ({ logFormat }) => logFormat,
  TICKMARK_SETUP_CODE_FILE: ({ setUpCodeFile }) => setUpCodeFile,
  TICKMARK_METRICS_PORT: ({ metricsPort }) => metricsPort,
  TICKMARK_READY_WITH_FULL_DISK: ({ readyWithFullDisk }) => onOff(readyWithFullDisk),
  TICKMARK_METRICS_TOKEN: ({ metricsToken }) => metricsToken && hidden,
};

const onOff = (on: boolean): string => (on ? "on" : "off");

/** `file`: the settings file that was read; null without one. */
export function shownSettings(
  config: Config,
  environment: Environment,
  file: { readonly path: string; readonly settings: Environment } | null,
): ShownSetting[] {
  return serviceSettings.map((name) => {
    const value = valueOf[name](config);
    if (file?.settings[name]?.trim()) return { name, value, from: "file", file: file.path };
    if (environment[name]?.trim()) return { name, value, from: "environment", file: null };
    return name === "TICKMARK_SECRET" ? keptSecretOf(config) : { name, value, from: "default", file: null };
  });
}

/** A secret that nobody set is in a file. Does not make one. */
function keptSecretOf({ secretPlace }: Config): ShownSetting {
  const name = "TICKMARK_SECRET";
  // A database in memory has a secret for this process only; for PostgreSQL there is none.
  if (secretPlace === name) return { name, value: null, from: "default", file: null };
  return { name, value: existsSync(secretPlace) ? hidden : null, from: "file", file: secretPlace };
}
