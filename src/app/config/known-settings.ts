import { nearestName } from "../../core/nearest-name.ts";

/** `tickmark config` shows each of them. */
export const serviceSettings = [
  "TICKMARK_HOST",
  "TICKMARK_PORT",
  "TICKMARK_BASE_URL",
  "TICKMARK_DATABASE_URL",
  "TICKMARK_DATABASE_READ_URL",
  "TICKMARK_SECRET",
  "TICKMARK_TRUST_PROXY",
  "TICKMARK_PLANS",
  "TICKMARK_ACCESS_LOG",
  "TICKMARK_CLIENT_DOCUMENTS",
  "TICKMARK_MODERATION",
  "TICKMARK_SIGN_UP",
  "TICKMARK_SMTP_URL",
  "TICKMARK_MAIL_FROM",
  "TICKMARK_STOP_SECONDS",
  "TICKMARK_DRAIN_SECONDS",
  "TICKMARK_LOG_LEVEL",
  "TICKMARK_LOG_FORMAT",
  "TICKMARK_SETUP_CODE_FILE",
  "TICKMARK_METRICS_PORT",
  "TICKMARK_METRICS_TOKEN",
  "TICKMARK_READY_WITH_FULL_DISK",
] as const;
export type ServiceSetting = (typeof serviceSettings)[number];

/** For commands that call a service elsewhere. */
const clientSettings = ["TICKMARK_URL", "TICKMARK_TOKEN", "TICKMARK_RUNNER_KEY"] as const;

/** Set by a runner for the command of a run, or asked for by the compose file. */
const handedOver = [
  "TICKMARK_JOB_NONCE",
  "TICKMARK_SERVER_ADDRESS",
  "TICKMARK_SERVER_PORT",
  "TICKMARK_BENCHMARK_MODE",
  "TICKMARK_DOMAIN",
];

export const settingNames: readonly string[] = [...serviceSettings, ...clientSettings, ...handedOver];

/**
 * Not mistakes: names of this project's tests, and names that Kubernetes sets for a service called `tickmark`
 * (TICKMARK_SERVICE_HOST, TICKMARK_PORT_8080_TCP_ADDR).
 */
const othersNames = /^TICKMARK_TEST_|_(?:SERVICE_(?:HOST|PORT)|PORT_[0-9]{1,5}_(?:TCP|UDP))(?:_|$)/;

/** `nearest` is null if no known name is near. */
export const unknownSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly nearest: string | null }[] =>
  Object.keys(environment)
    .filter((name) => /^tickmark_/i.test(name) && environment[name] !== undefined)
    .filter((name) => !settingNames.includes(name) && !othersNames.test(name))
    .map((name) => ({ name, nearest: nearestName(endOf(name), settingNames.map(endOf)) }))
    .map(({ name, nearest }) => ({ name, nearest: nearest && `TICKMARK_${nearest}` }));

const endOf = (name: string): string => name.slice("TICKMARK_".length).toUpperCase();
