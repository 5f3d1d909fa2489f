import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "./connector-config.ts";
import { failureCode } from "../../core/failure-code.ts";

export interface SecretSetting {
  /** The first secret is in use, a second one is still accepted. Makes and keeps one if none is set. */
  readonly secrets: () => readonly string[];
  /** The same, but makes none: empty if there is none yet. */
  readonly presentSecrets: () => readonly string[];
  /** The variable, or a file. */
  readonly secretPlace: string;
}

const shortestSecret = 16;
const secretForm = `a secret of at least ${shortestSecret} characters, or two separated by a comma (new, old)`;

/**
 * If none is set, SQLite gets one that is kept beside the database. PostgreSQL gets none, because each
 * machine and each container would have its own.
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

/** If several processes start at once, one is first; linking the file makes sure that it is complete. */
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
