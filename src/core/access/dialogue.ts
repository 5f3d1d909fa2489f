import type { Instant } from "../time.ts";

/** How severe a message of a log is, from the least: RFC 5424, as the connector's protocol names them. */
export const logLevels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type LogLevel = (typeof logLevels)[number];

/** So long a question to a person stays open, ms. */
export const questionLifetimeMs = 10 * 60_000;
/** So long what a session set up is kept after it was last used, ms. */
export const dialogueKeptMs = 7 * 24 * 60 * 60_000;
/** Resources a session may watch at once. */
export const mostWatched = 20;
/** Questions of one token that may be open at once: a person reads one after the other. */
export const mostQuestions = 5;
/** Sessions of one token that are kept, the ones used last. */
export const mostSessions = 50;

/** A question as it waits for its answer. */
export interface OpenQuestion {
  readonly id: string;
  readonly tokenId: string;
  /** Stands for the call that waits, among those of the token: when the client gives it up, so is the question. */
  readonly call: string;
  readonly expiresAt: Instant;
}

/** A session of a client, as its token alone can use it: nobody else's token finds anything under its name. */
export interface DialogueKey {
  readonly tokenId: string;
  readonly session: string;
}

/** A resource whose changes a session wants to be notified of. */
export interface Watched {
  readonly uri: string;
  /** Stands for what of the resource the session knows of. */
  readonly mark: string;
}
