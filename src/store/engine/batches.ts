import { expressionBuilder, sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import { query, type Query } from "./query.ts";
import type { Tables } from "../tables.ts";
import { nextTurn } from "../../core/turns.ts";

/** Rows deleted in one transaction; few, so that other writes do not wait long. */
const batch = 500;

/** Deletes at most `most` rows that meet the condition. `key`: the columns that identify a row. */
export const deletion =
  <P>() =>
  <Table extends keyof Tables>(
    table: Table,
    key: readonly (keyof Tables[Table] & string)[],
    condition: (row: ExpressionBuilder<Tables, Table>, $: P) => Expression<SqlBool>,
    most: number = batch,
  ): Query<P, unknown> =>
    query<P>()((db, $) => {
      const [from, keys] = [sql.table(table), sql.join(key.map((column) => sql.ref(column)))];
      const where = condition(expressionBuilder<Tables, Table>(), $);
      const found = sql`select ${keys} from ${from} where ${where} limit ${sql.lit(most)}`;
      return { compile: () => sql`delete from ${from} where (${keys}) in (${found})`.compile(db) };
    });

/** Deletes batch after batch until a batch is not full; other work runs between two batches. */
export async function* untilDone(
  deleteSome: () => Promise<number>,
  most: number = batch,
): AsyncGenerator<number> {
  for (let deleted = most; deleted >= most;) {
    deleted = await deleteSome();
    if (deleted > 0) yield deleted;
    await nextTurn();
  }
}
