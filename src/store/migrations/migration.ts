import type { Dialect } from "../engine/query.ts";

/** One forward step of the schema, the same in both dialects but for the words of `inDialect`. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: readonly string[];
}

const words: Record<Dialect, { readonly clustered: string; readonly bytes: string }> = {
  sqlite: { clustered: "WITHOUT ROWID", bytes: "BLOB" },
  postgres: { clustered: "", bytes: "BYTEA" },
};

/** Puts the dialect's own words in place of `{{clustered}}` (a table kept in its key's order) and `{{bytes}}`. */
export const inDialect = (statement: string, dialect: Dialect): string =>
  statement
    .replaceAll("{{clustered}}", words[dialect].clustered)
    .replaceAll("{{bytes}}", words[dialect].bytes);
