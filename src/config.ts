import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ipaddr from "ipaddr.js";
import { withoutTrailingSlash } from "./core/address.ts";
import { defaultPlans, PlanOverrides, withOverrides, type Plans } from "./core/access/plan.ts";

/** What the operator decided, read once at the start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Null: the address in use. */
  readonly baseUrl: string | null;
  readonly databaseUrl: string;
  /** CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** The first secret is in use, a second one is still believed. */
  readonly secrets: readonly string[];
  readonly plans: Plans;
  readonly logLevel: string;
  readonly signUp: "open" | "invite" | "closed";
  readonly moderation: boolean;
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
}

/** A setting that cannot be used: one line that names the variable and says what it takes. */
class ConfigError extends Error {
  /** The command line's exit status for being configured wrongly. */
  readonly status = 2;
  constructor(variable: string, takes: string) {
    super(`${variable} takes ${takes}.`);
    this.name = "ConfigError";
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const defaultDatabase = "sqlite:./data/tickmark.db";

/** The configuration of this process. Nothing else reads its environment. */
export const processConfig = (): Config => readConfig(process.env);

/** The stdio connector's part of the environment. */
export const processConnectorConfig = (): { url: string; token: string | null } =>
  readConnectorConfig(process.env);

/** Reads the environment; throws ConfigError on the first value that cannot be used. */
export function readConfig(environment: Environment): Config {
  const get = (name: string): string | null => environment[`TICKMARK_${name}`]?.trim() || null;
  const databaseUrl = databaseFrom(get("DATABASE_URL"));
  return Object.freeze({
    host: get("HOST") ?? "127.0.0.1",
    port: portFrom(get("PORT")),
    baseUrl: baseUrlFrom(get("BASE_URL")),
    databaseUrl,
    trustProxy: proxiesFrom(get("TRUST_PROXY")),
    secrets: secretsFrom(get("SECRET"), databaseUrl),
    plans: plansFrom(get("PLANS")),
    logLevel: oneOf("TICKMARK_LOG_LEVEL", get("LOG_LEVEL") ?? "info", logLevels),
    signUp: oneOf("TICKMARK_SIGN_UP", get("SIGN_UP") ?? "closed", ["open", "invite", "closed"] as const),
    moderation: oneOf("TICKMARK_MODERATION", get("MODERATION") ?? "on", ["on", "off"] as const) === "on",
    smtpUrl: smtpFrom(get("SMTP_URL")),
    mailFrom: get("MAIL_FROM"),
  });
}

/** What the stdio connector needs, and all it needs. */
export function readConnectorConfig(environment: Environment): { url: string; token: string | null } {
  const url = environment["TICKMARK_URL"]?.trim() || "http://127.0.0.1:8080";
  if (!URL.canParse(url))
    throw new ConfigError("TICKMARK_URL", "the address of a Tickmark service, such as http://127.0.0.1:8080");
  return { url: withoutTrailingSlash(url), token: environment["TICKMARK_TOKEN"]?.trim() || null };
}

function oneOf<const T extends readonly string[]>(variable: string, value: string, values: T): T[number] {
  if (!values.includes(value)) throw new ConfigError(variable, `one of ${values.join(", ")}`);
  return value;
}

function portFrom(text: string | null): number {
  if (text === null) return 8080;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new ConfigError("TICKMARK_PORT", "a port from 0 to 65535");
  return Number(text);
}

function baseUrlFrom(text: string | null): string | null {
  if (text === null) return null;
  const usable = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!usable)
    throw new ConfigError("TICKMARK_BASE_URL", "an http or https address, such as https://tickmark.example");
  return withoutTrailingSlash(text);
}

function databaseFrom(text: string | null): string {
  const url = text ?? defaultDatabase;
  if (/^sqlite:.+/.test(url) || /^postgres(ql)?:\/\/.+/.test(url)) return url;
  throw new ConfigError("TICKMARK_DATABASE_URL", "sqlite:PATH or postgres://…");
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
      );
    }
  }
  return ranges;
}

function smtpFrom(text: string | null): string | null {
  if (text === null || (URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol))) return text;
  throw new ConfigError("TICKMARK_SMTP_URL", "an smtp:// or smtps:// address");
}

function plansFrom(path: string | null): Plans {
  if (path === null) return defaultPlans;
  try {
    return withOverrides(PlanOverrides.parse(JSON.parse(readFileSync(path, "utf8"))));
  } catch {
    throw new ConfigError("TICKMARK_PLANS", "the path of a JSON file that maps plan names to limits");
  }
}

const shortestSecret = 16;

/** The secret of the environment, or one made at the first start and kept beside the database. */
function secretsFrom(text: string | null, databaseUrl: string): readonly string[] {
  if (text !== null) {
    const secrets = text.split(",").map((secret) => secret.trim());
    if (secrets.length <= 2 && secrets.every((secret) => secret.length >= shortestSecret)) return secrets;
    throw new ConfigError(
      "TICKMARK_SECRET",
      `a secret of at least ${shortestSecret} characters, or two separated by a comma (new, old)`,
    );
  }
  if (databaseUrl === "sqlite::memory:") return [randomBytes(32).toString("base64url")];
  const path = databaseUrl.startsWith("sqlite:")
    ? `${databaseUrl.slice("sqlite:".length)}.secret`
    : join("data", "tickmark.secret");
  return [keptSecret(path)];
}

function keptSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) {
    try {
      writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
    } catch (error) {
      // Another process that starts at the same moment may have been first; then its secret is ours.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
  return readFileSync(path, "utf8").trim();
}
