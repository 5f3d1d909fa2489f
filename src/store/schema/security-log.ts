interface SecurityLogTable {
  id: string;
  at: number;
  last_at: number;
  times: number;
  kind: string;
  account_id: string | null;
  address: string | null;
  token_id: string | null;
  detail: string | null;
}

/** What happened that matters to the safety of accounts. */
export interface SecurityLogTables {
  security_log: SecurityLogTable;
}
