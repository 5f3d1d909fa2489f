import { sql } from "kysely";

/** SQL condition: the account of the row is not suspended. `row`: the row's alias in the statement. */
export const ofServedAccount = (row: string) =>
  sql<boolean>`exists (select 1 from account as served where served.id = ${sql.ref(`${row}.account_id`)} and served.role <> 'suspended')`;
