import { all, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query } from "../engine/query.ts";

const namesOf = query<{ ids: string; account: string }>()((db, $, dialect) =>
  db
    .selectFrom(listedIds(dialect, $.ids).as("w"))
    .innerJoin("server as s", "s.id", "w.id")
    .select(["s.id", "s.name"])
    .where("s.account_id", "=", $.account),
);

/** Names by id; servers that are not the account's are left out. */
export function* selectServerNames(
  account: string,
  ids: readonly string[],
): Work<ReadonlyMap<string, string | null>> {
  const rows = yield* all(namesOf, { account, ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
