interface ServiceLogTable {
  id: string;
  at: number;
  last_at: number;
  times: number;
  kind: string;
  words: string;
  done_by: string;
  /** The admin who did it; null for others, and once that account is deleted. */
  actor_id: string | null;
  /** Whom it is about; null likewise. */
  account_id: string | null;
}

/** What happened to the service itself. */
export interface ServiceLogTables {
  service_log: ServiceLogTable;
}
