interface SessionTable {
  id: string;
  account_id: string;
  digest: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
  user_agent: string | null;
}

/** What belongs to people and their browsers. */
export interface PeopleTables {
  session: SessionTable;
}
