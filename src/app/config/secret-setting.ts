import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "./connector-config.ts";
import { failureCode } from "../../core/failure-code.ts";

/** The secrets of a service, and where they come from. */
export interface SecretSetting {
  /**
   * The first secret is in use, a second one is still believed. A function, because the secret that nobody set
   * is made and kept when it is first asked for.
   */
  readonly secrets: () => readonly string[];
  /** The same, without one being made: empty where there is none yet. */
  readonly presentSecrets: () => readonly string[];
  /** Where the secret comes from: the variable, or a file. */
  readonly secretPlace: string;
}

const shortestSecret = 16;
const secretForm = `a secret of at least ${shortestSecret} characters, or two separated by a comma (new, old)`;

/**
 * The secret of the environment, or for SQLite one that is made when it is first needed and kept beside the database.
 * For PostgreSQL none is made: each machine and each container would have its own.
 */
export function secretsFrom(text: string | null, databaseUrl: string): SecretSetting {
  const variable = "TICKMARK_SECRET";
  const fixed = (secrets: readonly string[]) => {
    return { secrets: () => secrets, presentSecrets: () => secrets, secretPlace: variable };
  };
  if (text !== null) {
    const secrets = text.split(",").map((secret) => secret.trim());
    const short = secrets.find((secret) => secret.length < shortestSecret);
    if (short !== undefined)
      throw new ConfigError(variable, secretForm, `, not one of ${short.length} characters`);
    if (secrets.length > 2) throw new ConfigError(variable, secretForm, `, not ${secrets.length}`);
    return fixed(secrets);
  }
  if (!databaseUrl.startsWith("sqlite:")) return { ...fixed([]), secrets: noSecretMade };
  const path = databaseUrl.slice("sqlite:".length);
  if (path === ":memory:") return fixed([newSecret()]);
  const file = `${path}.secret`;
  return {
    secrets: () => [keptSecret(file)],
    presentSecrets: () => (existsSync(file) ? [keptSecret(file)] : []),
    secretPlace: file,
  };
}

function noSecretMade(): never {
  throw new ConfigError(
    "TICKMARK_SECRET",
    `${secretForm}: none is set, and a service on PostgreSQL makes none`,
  );
}

const newSecret = (): string => randomBytes(32).toString("base64url");

/** Of processes that start together one is first; a file that is there is whole, because it is linked into place. */
function keptSecret(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) placeSecret(file);
    const secret = readFileSync(file, "utf8").trim();
    if (secret.length >= shortestSecret) return secret;
  } catch {
    throw new ConfigError(
      "TICKMARK_SECRET",
      `${secretForm}: none is set, and ${file} cannot be read or written`,
    );
  }
  throw new ConfigError("TICKMARK_SECRET", `${secretForm}: none is set, and ${file} holds none`);
}

function placeSecret(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, newSecret(), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (failureCode(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
}
