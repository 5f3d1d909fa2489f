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

/** A resource that a session wants to be told of. */
export interface Watched {
  readonly uri: string;
  /** Stands for what of the resource the session knows of. */
  readonly mark: string;
}

/**
 * What clients of the connector's older protocol revisions set up for later requests, and what a person answers while
 * a call waits. It is kept here, not in a process: the next request can reach another one. Texts are without U+0000,
 * which not every database keeps.
 */
export interface DialogueStore {
  /** The least severe message that the session wants; null where it never said. */
  logLevel(key: DialogueKey): Promise<LogLevel | null>;
  setLogLevel(key: DialogueKey, level: LogLevel, now: Instant): Promise<void>;
  /** Whether a question to the session's person was left unanswered: nobody is there to be asked. */
  isUnanswered(key: DialogueKey): Promise<boolean>;
  noteUnanswered(key: DialogueKey, now: Instant): Promise<void>;
  /** False when the session watches `mostWatched` others already. What is watched keeps its mark. */
  watch(key: DialogueKey, watched: Watched, now: Instant): Promise<boolean>;
  unwatch(key: DialogueKey, uri: string): Promise<void>;
  /** In the order of their URIs. */
  watched(key: DialogueKey): Promise<readonly Watched[]>;
  /** Sets the mark of what is watched; false when it no longer has the mark `from`: another stream told the session. */
  tell(key: DialogueKey, uri: string, from: string, to: string): Promise<boolean>;
  /** The session is still in use; written down at most once an hour. One that set nothing up needs no keeping. */
  keep(key: DialogueKey, now: Instant): Promise<void>;
  /** Opens a question that only its token can answer; false when `mostQuestions` of the token are open already. */
  pose(question: OpenQuestion, now: Instant): Promise<boolean>;
  /** Answers for a call that was given up, in place of an answer that it has not read yet. */
  giveUp(tokenId: string, call: string, answer: string): Promise<void>;
  /** False for a question that is not open to this token: another's, answered, withdrawn or expired. */
  reply(id: string, tokenId: string, answer: string, now: Instant): Promise<boolean>;
  /** Null while there is none; for the call that posed the question, which alone waits for it. */
  answerTo(id: string): Promise<string | null>;
  withdraw(id: string): Promise<void>;
}
