import type { Instant } from "../time.ts";

/** From the least severe: RFC 5424, with the names of the Model Context Protocol. */
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

/** A question to a person stays open this long, ms. */
export const questionLifetimeMs = 10 * 60_000;
/** A session is kept this long after its last use, ms. */
export const dialogueKeptMs = 7 * 24 * 60 * 60_000;
/** Resources that one session may watch. */
export const mostWatched = 20;
/** Open questions of one token: a person reads them one after the other. */
export const mostQuestions = 5;
/** Sessions kept for one token, the last used ones. */
export const mostSessions = 50;

export interface OpenQuestion {
  readonly id: string;
  readonly tokenId: string;
  /** Key of the waiting call among the token's calls: a cancelled call withdraws its question. */
  readonly call: string;
  readonly expiresAt: Instant;
}

/** Key of a session: a session belongs to one token, and other tokens cannot find it. */
export interface DialogueKey {
  readonly tokenId: string;
  readonly session: string;
}

export interface Watched {
  readonly uri: string;
  /** Marks the version of the resource that the session knows. */
  readonly mark: string;
}
