import { PlanName } from "../../core/access/plan.ts";
import { Role, scopes, type Scope } from "../../core/access/scope.ts";
import type { TriedIn } from "../../core/access/wrong-factors.ts";
import type { CodePurpose } from "../../core/access/one-time-code.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { flag, instant, integer, mapped, oneOf, table, text, textOf, type RowOf } from "../engine/table.ts";

export const accountTable = table("account", {
  id: text,
  email: text,
  email_verified: flag,
  plan: oneOf(PlanName),
  role: oneOf(Role),
  password_hash: text.nullable.aside,
  created_at: instant,
  kept_plan: text.nullable.aside,
  kept_plan_until: instant.nullable.aside,
  /** Browsers are remembered for one generation; incrementing it forgets them all. */
  device_generation: integer.aside,
});

export const sessionTable = table("session", {
  id: text,
  account_id: text,
  digest: text.aside,
  created_at: instant,
  last_used_at: instant,
  expires_at: instant,
  user_agent: text.nullable,
  proven_at: instant,
});

export const secondFactorTable = table("second_factor", {
  account_id: text,
  sealed_secret: text,
  last_step: integer,
  enabled_at: instant,
});

/** Lets a start check that it has the secret with which the stored values were sealed. */
export const secretCheckTable = table("secret_check", {
  id: text.aside,
  sealed: text,
  earlier: integer,
  closed: integer,
  counted_at: instant,
});

/** Consecutive wrong second factors, by the kind of browser they came from. */
export const wrongFactorTable = table("wrong_factor", {
  account_id: text,
  browser: textOf<TriedIn>(),
  in_row: integer,
  last_at: instant,
});

export const recoveryCodeTable = table("recovery_code", {
  account_id: text,
  digest: text,
  used_at: instant.nullable,
});

export const passkeyTable = table("passkey", {
  id: text,
  account_id: text,
  name: text,
  credential_id: text,
  public_key: text,
  counter: integer,
  transports: text,
  created_at: instant,
  last_used_at: instant.nullable,
});

export const oneTimeCodeTable = table("one_time_code", {
  id: text,
  purpose: textOf<CodePurpose>(),
  digest: text.aside,
  account_id: mapped<string, string | null>(
    "text",
    (stored) => stored ?? "",
    (value) => value,
  ),
  email: text.nullable,
  created_at: instant,
  expires_at: instant,
  used_at: instant.nullable.aside,
});

/** Records of the OAuth server for connectors. */
export const oauthRecordTable = table("oauth_record", {
  kind: text,
  /** SHA-256 of the issued value, which is not stored itself. */
  digest: text,
  /** The grant that the record belongs to: a connector's row in `api_token`. */
  token_id: text.nullable.as("grantId"),
  payload: text,
  created_at: instant,
  expires_at: instant,
  consumed_at: instant.nullable,
});

export const scopesOf = (list: string): Scope[] => {
  const ticked = new Set(list.split(" "));
  return scopes.filter((scope) => ticked.has(scope));
};

export const apiTokenTable = table("api_token", {
  id: text,
  account_id: text,
  name: text,
  kind: mapped<"connector" | "token", string>(
    "text",
    (stored) => (stored === "connector" ? "connector" : "token"),
    (value) => value,
  ),
  digest: text.aside,
  scopes: mapped<readonly Scope[], string>("text", scopesOf, (value) => value.join(" ")),
  created_at: instant,
  expires_at: instant,
  revoked_at: instant.nullable,
  last_used_at: instant.nullable,
  /** Connectors only: the OAuth client that has the grant. */
  client_id: text.nullable.aside,
  client_name: text.nullable.aside,
  client_host: text.nullable.aside,
});

export const activityTable = table("activity", {
  account_id: text,
  at: instant,
  id: text,
  token_id: text,
  call: text,
  status: integer,
  error: textOf<ErrorCode>().nullable,
  times: integer,
});

export const rateWindowTable = table("rate_window", {
  kind: text,
  key: text,
  opened_at: instant,
  used: integer,
});

/** Creations that can be repeated safely. The record is the created thing. */
export const writeReplayTable = table("write_replay", {
  account_id: text.aside,
  route: text.aside,
  /** The Idempotency-Key, or the body's digest if there is none. */
  slot: text.aside,
  body_digest: text.aside,
  resource_id: text.as("id"),
  resource_updated_at: instant.as("updatedAt"),
  created_at: instant.aside,
});

export const dialogueSessionTable = table("dialogue_session", {
  token_id: text,
  session: text,
  log_level: text.nullable,
  used_at: instant,
  /** When the session's user left a question unanswered; null if never. */
  unanswered_at: instant.nullable,
});

export const dialogueWatchTable = table("dialogue_watch", {
  token_id: text,
  session: text,
  uri: text,
  mark: text,
});

export const dialogueQuestionTable = table("dialogue_question", {
  id: text,
  /** Only the client with this token can answer. */
  token_id: text,
  call: text,
  answer: text.nullable,
  expires_at: instant,
});

export interface AccessTables {
  account: RowOf<typeof accountTable>;
  api_token: RowOf<typeof apiTokenTable>;
  session: RowOf<typeof sessionTable>;
  second_factor: RowOf<typeof secondFactorTable>;
  wrong_factor: RowOf<typeof wrongFactorTable>;
  recovery_code: RowOf<typeof recoveryCodeTable>;
  secret_check: RowOf<typeof secretCheckTable>;
  passkey: RowOf<typeof passkeyTable>;
  one_time_code: RowOf<typeof oneTimeCodeTable>;
  oauth_record: RowOf<typeof oauthRecordTable>;
  activity: RowOf<typeof activityTable>;
  rate_window: RowOf<typeof rateWindowTable>;
  write_replay: RowOf<typeof writeReplayTable>;
  dialogue_session: RowOf<typeof dialogueSessionTable>;
  dialogue_watch: RowOf<typeof dialogueWatchTable>;
  dialogue_question: RowOf<typeof dialogueQuestionTable>;
}
