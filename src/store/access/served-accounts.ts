import { sql } from "kysely";

/** Whether the account of a row is not disabled; `row`: the name of the row in its statement. */
export const ofServedAccount = (row: string) =>
  sql<boolean>`exists (select 1 from account as served where served.id = ${sql.ref(`${row}.account_id`)} and served.role <> 'suspended')`;
