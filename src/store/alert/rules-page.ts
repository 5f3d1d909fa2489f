import { sql } from "kysely";
import type { TimePosition } from "../../core/position.ts";
import { fromTop } from "../engine/query.ts";

export interface RulesOfAccount {
  readonly account: string;
  /** Null for rules that are switched on or off. */
  readonly enabled: boolean | null;
  readonly after: TimePosition | null;
  readonly limit: number;
}

export type RulesOfAccountValues = {
  account: string;
  enabled: number | null;
  at: number;
  id: string;
  limit: number;
};

/** Of a rule `r`; the newest rule comes first. */
export const onPage = ($: Pick<RulesOfAccountValues, "enabled" | "at" | "id">) =>
  sql<boolean>`(r.created_at, r.id) < (${$.at}, ${$.id})
    and (cast(${$.enabled} as smallint) is null or r.enabled = cast(${$.enabled} as smallint))`;

export const pageValues = ({ account, enabled, after, limit }: RulesOfAccount): RulesOfAccountValues => ({
  account,
  enabled: enabled === null ? null : Number(enabled),
  ...(after ?? fromTop),
  limit,
});
