interface SessionTable {
  id: string;
  account_id: string;
  digest: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
  user_agent: string | null;
}

interface OneTimeCodeTable {
  id: string;
  purpose: string;
  digest: string;
  account_id: string | null;
  email: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

/** What belongs to people and their browsers. */
export interface PeopleTables {
  session: SessionTable;
  one_time_code: OneTimeCodeTable;
}
