interface DialogueSessionTable {
  token_id: string;
  session: string;
  /** Null where the client never said. */
  log_level: string | null;
  used_at: number;
  /** When a question to its person was left unanswered; null while none was. */
  unanswered_at: number | null;
}

interface DialogueWatchTable {
  token_id: string;
  session: string;
  uri: string;
  mark: string;
}

interface DialogueQuestionTable {
  id: string;
  /** Whose client alone can answer. */
  token_id: string;
  /** Which of that client's calls waits. */
  call: string;
  /** Null while there is none. */
  answer: string | null;
  expires_at: number;
}

/** What belongs to the sessions of the connector's clients. */
export interface DialogueTables {
  dialogue_session: DialogueSessionTable;
  dialogue_watch: DialogueWatchTable;
  dialogue_question: DialogueQuestionTable;
}
