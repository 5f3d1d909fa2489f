import type { Migration } from "./migration.ts";

/** What the connector's clients set up in their sessions, and the questions that wait for a person. */
export const dialogues: Migration = {
  id: 12,
  name: "dialogues",
  statements: [
    // Without references to a token, as rate windows are: a late call of a deleted account must not fail on its row.
    `CREATE TABLE dialogue_session (
      token_id TEXT NOT NULL, session TEXT NOT NULL, log_level TEXT, used_at BIGINT NOT NULL,
      PRIMARY KEY (token_id, session)) {{clustered}}`,
    "CREATE INDEX dialogue_session_oldest ON dialogue_session (used_at)",

    `CREATE TABLE dialogue_watch (
      token_id TEXT NOT NULL, session TEXT NOT NULL, uri TEXT NOT NULL, mark TEXT NOT NULL,
      PRIMARY KEY (token_id, session, uri),
      FOREIGN KEY (token_id, session) REFERENCES dialogue_session (token_id, session) ON DELETE CASCADE) {{clustered}}`,

    `CREATE TABLE dialogue_question (
      id TEXT PRIMARY KEY, token_id TEXT NOT NULL, call TEXT NOT NULL, answer TEXT, expires_at BIGINT NOT NULL)`,
    "CREATE INDEX dialogue_question_of_token ON dialogue_question (token_id)",
    "CREATE INDEX dialogue_question_oldest ON dialogue_question (expires_at)",
  ],
};
