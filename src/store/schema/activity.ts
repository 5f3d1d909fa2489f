interface ActivityTable {
  account_id: string;
  at: number;
  id: string;
  token_id: string;
  call: string;
  status: number;
  error: string | null;
  times: number;
}

/** What tokens did. */
export interface ActivityTables {
  activity: ActivityTable;
}
