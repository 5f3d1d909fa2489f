import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import {
  ConfigError,
  notThis,
  readConnectorConfig,
  refuseUnknownSettings,
  type Environment,
} from "./connector-config.ts";
import { withoutTrailingSlash } from "../../core/address.ts";
import { mailSender, type MailSender } from "../../core/notice/mail-address.ts";
import { signUpPolicies, type SignUpPolicy } from "../../core/access/sign-in.ts";
import { defaultPlans, type Plans } from "../../core/access/plan.ts";
import { readPlansFile } from "./plans-file.ts";
import { secretsFrom, type SecretSetting } from "./secret-setting.ts";

/** The operator's settings, read once at the start. */
export interface Config extends SecretSetting {
  readonly host: string;
  readonly port: number;
  /** Null: the address in use. */
  readonly baseUrl: string | null;
  readonly databaseUrl: string;
  /** A streaming replica that answers series and lists; null: the database answers everything. */
  readonly databaseReadUrl: string | null;
  /** CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly plans: Plans;
  /** The operator's file of limits; null: the published limits apply. */
  readonly plansFile: string | null;
  readonly logLevel: string;
  /** `json`: a line of JSON for each entry; `text`: readable lines. */
  readonly logFormat: (typeof logFormats)[number];
  /** Gets the set-up code while there is no account; null: only a terminal shows it. */
  readonly setUpCodeFile: string | null;
  readonly moderation: boolean;
  readonly accessLog: boolean;
  /** Whether a program may be known by the address of a metadata document, which the service fetches. */
  readonly clientDocuments: boolean;
  readonly signUp: SignUpPolicy;
  /** Null: the service sends no mail. */
  readonly smtpUrl: string | null;
  readonly mailFrom: MailSender;
  /** Null: the metrics have no port of their own. */
  readonly metricsPort: number | null;
  /** A scrape must present this token. Without a metrics port, the metrics are on the service's port. */
  readonly metricsToken: string | null;
  /** Whether `/readyz` is 200 while the disk of the database is full: reads still work then. */
  readonly readyWithFullDisk: boolean;
  /** How long a stopping service still serves while `/readyz` says that it stops, ms. */
  readonly drainMs: number;
  /** How long requests in flight may take after that, ms. */
  readonly stopMs: number;
}

const longestStopSeconds = 600;
const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const logFormats = ["json", "text"] as const;
const defaultDatabase = "sqlite:./data/tickmark.db";

export const processSettings = (): Environment => process.env;

export const processConfig = (replaced: Environment = {}): Config =>
  readConfig({ ...process.env, ...replaced });

/** `environment` is what the operator's command may see: everything but the key. */
export const processRunnerConfig = (): {
  url: string;
  key: string | null;
  environment: Environment;
} => readRunnerConfig(process.env);

function readRunnerConfig(environment: Environment): ReturnType<typeof processRunnerConfig> {
  const key = environment["TICKMARK_RUNNER_KEY"]?.trim() || null;
  const { TICKMARK_RUNNER_KEY: _key, ...others } = environment;
  return { url: readConnectorConfig(environment).url, key, environment: others };
}

/** Throws ConfigError on the first value that cannot be used. */
export function readConfig(environment: Environment): Config {
  refuseUnknownSettings(environment);
  const get = (name: string): string | null => environment[`TICKMARK_${name}`]?.trim() || null;
  const databaseUrl = databaseFrom(get("DATABASE_URL"));
  const baseUrl = baseUrlFrom(get("BASE_URL"));
  const plansFile = get("PLANS");
  return Object.freeze({
    host: hostFrom(get("HOST")),
    port: portFrom("TICKMARK_PORT", get("PORT")) ?? 8080,
    baseUrl,
    databaseUrl,
    databaseReadUrl: replicaFrom(get("DATABASE_READ_URL"), databaseUrl),
    trustProxy: proxiesFrom(get("TRUST_PROXY")),
    ...secretsFrom(get("SECRET"), databaseUrl),
    plans: plansFile === null ? defaultPlans : readPlansFile(plansFile),
    plansFile,
    logLevel: oneOf("TICKMARK_LOG_LEVEL", get("LOG_LEVEL") ?? "info", logLevels),
    logFormat: oneOf("TICKMARK_LOG_FORMAT", get("LOG_FORMAT") ?? "json", logFormats),
    setUpCodeFile: get("SETUP_CODE_FILE"),
    moderation: isOn("TICKMARK_MODERATION", get("MODERATION")),
    accessLog: isOn("TICKMARK_ACCESS_LOG", get("ACCESS_LOG")),
    clientDocuments: isOn("TICKMARK_CLIENT_DOCUMENTS", get("CLIENT_DOCUMENTS")),
    signUp: oneOf("TICKMARK_SIGN_UP", get("SIGN_UP") ?? "closed", signUpPolicies),
    smtpUrl: smtpFrom(get("SMTP_URL")),
    mailFrom: senderFrom(get("MAIL_FROM"), baseUrl),
    metricsPort: portFrom("TICKMARK_METRICS_PORT", get("METRICS_PORT")),
    metricsToken: metricsTokenFrom(get("METRICS_TOKEN")),
    readyWithFullDisk: isOn("TICKMARK_READY_WITH_FULL_DISK", get("READY_WITH_FULL_DISK")),
    // Useful only behind a proxy that checks /readyz: elsewhere it would delay every stop.
    drainMs: secondsFrom("TICKMARK_DRAIN_SECONDS", get("DRAIN_SECONDS"), 0),
    // Half of what container engines give before they kill, and more than any answer takes.
    stopMs: secondsFrom("TICKMARK_STOP_SECONDS", get("STOP_SECONDS"), 5),
  });
}

function oneOf<const T extends readonly string[]>(variable: string, value: string, values: T): T[number] {
  if (!values.includes(value)) throw new ConfigError(variable, `one of ${values.join(", ")}`, notThis(value));
  return value;
}

const isOn = (variable: string, value: string | null): boolean =>
  oneOf(variable, value ?? "on", ["on", "off"]) === "on";

/** Digits and dots are an address or a mistake, never a name. */
function hostFrom(text: string | null): string {
  const host = text ?? "127.0.0.1";
  if (isIP(host) !== 0 || /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*$/i.test(host)) return host;
  throw new ConfigError(
    "TICKMARK_HOST",
    "an address or name of this machine, such as 127.0.0.1 or 0.0.0.0",
    notThis(host),
  );
}

function portFrom(variable: string, text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  // Kubernetes sets such an address in every container beside a service called tickmark.
  const isServiceLink = /^(?:tcp|udp):\/\//.test(text);
  throw new ConfigError(
    variable,
    "a port from 0 to 65535",
    isServiceLink
      ? `${notThis(text)}, which Kubernetes sets for a service: set enableServiceLinks to false, or ${variable} to a port`
      : notThis(text),
  );
}

function metricsTokenFrom(text: string | null): string | null {
  if (text === null || /^[\u0021-\u007E]{16,}$/.test(text)) return text;
  const found = text.length < 16 ? `, not ${text.length}` : ", not others";
  throw new ConfigError("TICKMARK_METRICS_TOKEN", "at least 16 printable characters without spaces", found);
}

/** In ms. */
function secondsFrom(variable: string, text: string | null, usual: number): number {
  if (text === null) return usual * 1000;
  if (!/^\d{1,3}$/.test(text) || Number(text) > longestStopSeconds)
    throw new ConfigError(
      variable,
      `a whole number of seconds from 0 to ${longestStopSeconds}`,
      notThis(text),
    );
  return Number(text) * 1000;
}

function baseUrlFrom(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const wrong = url === null ? notThis(text) : faultOfBaseUrl(url);
  if (wrong === null) return withoutTrailingSlash(text);
  throw new ConfigError(
    "TICKMARK_BASE_URL",
    "an http or https address without a path, such as https://tickmark.example",
    wrong,
  );
}

function faultOfBaseUrl(url: URL): string | null {
  if (!/^https?:$/.test(url.protocol)) return `, not one of ${JSON.stringify(url.protocol)}`;
  if (url.username + url.password !== "") return ", not one with a user or a password";
  if (url.search + url.hash !== "") return ", not one with ? or #";
  return url.pathname === "/" ? null : notThis(url.href);
}

function databaseFrom(text: string | null): string {
  const url = text ?? defaultDatabase;
  if (/^sqlite:.+/.test(url) || /^postgres(ql)?:\/\/.+/.test(url)) return url;
  throw new ConfigError("TICKMARK_DATABASE_URL", "sqlite:PATH or postgres://…", notThis(url));
}

function replicaFrom(text: string | null, databaseUrl: string): string | null {
  if (text === null) return null;
  const variable = "TICKMARK_DATABASE_READ_URL";
  if (!/^postgres(ql)?:\/\/.+/.test(text))
    throw new ConfigError(variable, "postgres://… of a streaming replica", notThis(text));
  if (databaseUrl.startsWith("sqlite:"))
    throw new ConfigError(variable, "a replica of a PostgreSQL database only", ": SQLite has none");
  return text;
}

function proxiesFrom(text: string | null): readonly string[] {
  const ranges = (text ?? "")
    .split(",")
    .map((range) => range.trim())
    .filter((range) => range !== "");
  for (const range of ranges) {
    if (!ipaddr.isValid(range) && !ipaddr.isValidCIDR(range)) {
      throw new ConfigError(
        "TICKMARK_TRUST_PROXY",
        "addresses or CIDR ranges separated by commas, such as 10.0.0.0/8",
        notThis(range),
      );
    }
  }
  return ranges;
}

function smtpFrom(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== "") return text;
  throw new ConfigError(
    "TICKMARK_SMTP_URL",
    "smtp://… or smtps://…, such as smtps://user:password@mail.example",
    notThis(text),
  );
}

/** A host that cannot stand in a mail address, such as a bare IP, is replaced by localhost. */
function senderFrom(text: string | null, baseUrl: string | null): MailSender {
  if (text === null) {
    const host = baseUrl === null ? "localhost" : new URL(baseUrl).hostname;
    return mailSender(`Tickmark <tickmark@${host}>`) ?? { name: "Tickmark", address: "tickmark@localhost" };
  }
  const sender = mailSender(text);
  if (sender) return sender;
  throw new ConfigError(
    "TICKMARK_MAIL_FROM",
    "a mail address, or Name <address>",
    `, not ${JSON.stringify(text)}`,
  );
}
