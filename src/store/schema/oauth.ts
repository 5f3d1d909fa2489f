interface OAuthRecordTable {
  kind: string;
  /** SHA-256 of what was handed out, which itself is kept nowhere. */
  digest: string;
  /** The grant it belongs to: a connector's row in `api_token`. */
  token_id: string | null;
  payload: string;
  created_at: number;
  expires_at: number;
  consumed_at: number | null;
}

/** What belongs to the connector's authorization server. */
export interface OAuthTables {
  oauth_record: OAuthRecordTable;
}
