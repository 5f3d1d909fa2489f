import type { SealedKind, SealedValue } from "../../core/access/stored-seals.ts";
import { all, run, type Work } from "../engine/database.ts";
import { query, type Query } from "../engine/query.ts";

type Page = { after: string; limit: number };
type Replacement = { account: string; sealed: string; renewed: string };

const settings = query<Page>()((db, $) =>
  db
    .selectFrom("notification_setting")
    .select(["account_id as accountId", "email", "chat", "webhook", "webhook_secrets"])
    .where("account_id", ">", $.after)
    .orderBy("account_id")
    .limit($.limit),
);

const waiting = query<Page>()((db, $) =>
  db
    .selectFrom("pending_address")
    .select(["account_id as accountId", "address"])
    .where("account_id", ">", $.after)
    .orderBy("account_id")
    .limit($.limit),
);

const factors = query<Page>()((db, $) =>
  db
    .selectFrom("second_factor")
    .select(["account_id as accountId", "sealed_secret"])
    .where("account_id", ">", $.after)
    .orderBy("account_id")
    .limit($.limit),
);

const ofSettings = (column: "email" | "chat" | "webhook" | "webhook_secrets") =>
  query<Replacement>()((db, $) =>
    db
      .updateTable("notification_setting")
      .set({ [column]: $.renewed })
      .where("account_id", "=", $.account)
      .where(column, "=", $.sealed),
  );

/** Replaces only the value that was resealed: if its owner changed it meanwhile, the new value stays. */
const replacements: Readonly<Record<SealedKind, ReturnType<typeof ofSettings>>> = {
  alert_address: ofSettings("email"),
  chat_webhook: ofSettings("chat"),
  signed_webhook: ofSettings("webhook"),
  webhook_secrets: ofSettings("webhook_secrets"),
  waiting_address: query<Replacement>()((db, $) =>
    db
      .updateTable("pending_address")
      .set({ address: $.renewed })
      .where("account_id", "=", $.account)
      .where("address", "=", $.sealed),
  ),
  second_factor: query<Replacement>()((db, $) =>
    db
      .updateTable("second_factor")
      .set({ sealed_secret: $.renewed })
      .where("account_id", "=", $.account)
      .where("sealed_secret", "=", $.sealed),
  ),
};

export const sealedColumns = {
  notification_setting: {
    email: "alert_address",
    chat: "chat_webhook",
    webhook: "signed_webhook",
    webhook_secrets: "webhook_secrets",
  },
  pending_address: { address: "waiting_address" },
  second_factor: { sealed_secret: "second_factor" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SealedKind>>>>;
export type SealedTable = keyof typeof sealedColumns;

type SealedRow = { readonly accountId: string } & Readonly<Record<string, string | null>>;

const pages: Readonly<Record<SealedTable, Query<Page, SealedRow>>> = {
  notification_setting: settings,
  pending_address: waiting,
  second_factor: factors,
};

export const sealedTables = Object.keys(sealedColumns) as SealedTable[];

export const sealedIn = (
  table: SealedTable,
  accountId: string,
  row: Readonly<Record<string, unknown>>,
): SealedValue[] =>
  Object.entries(sealedColumns[table]).flatMap(([column, kind]) => {
    const sealed = row[column];
    return typeof sealed === "string" ? [{ kind, accountId, sealed }] : [];
  });

/** Sealed values of the next rows in account order, and the last account; null at the end of the table. */
export function* selectSealed(
  table: SealedTable,
  after: string,
  limit: number,
): Work<{ readonly values: SealedValue[]; readonly last: string } | null> {
  const rows = yield* all(pages[table], { after, limit });
  const last = rows.at(-1)?.accountId;
  if (last === undefined) return null;
  return { values: rows.flatMap((row) => sealedIn(table, row.accountId, row)), last };
}

export interface Renewal {
  readonly value: SealedValue;
  readonly renewed: string;
}

/** Returns how many values were replaced; a value that changed meanwhile is not. */
export function* replaceSealed(renewals: readonly Renewal[]): Work<number> {
  let replaced = 0;
  for (const { value, renewed } of renewals)
    replaced += yield* run(replacements[value.kind], {
      account: value.accountId,
      sealed: value.sealed,
      renewed,
    });
  return replaced;
}
