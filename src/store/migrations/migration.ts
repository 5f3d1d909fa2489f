import type { Dialect } from "../engine/query.ts";

/** One forward step of the schema, equal in both dialects except for the words of `inDialect`. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: readonly string[];
}

interface DialectWords {
  readonly clustered: string;
  readonly bytes: string;
  readonly random: string;
  readonly number: (column: string, member: string) => string;
}

const words: Record<Dialect, DialectWords> = {
  sqlite: {
    clustered: "WITHOUT ROWID",
    bytes: "BLOB",
    random: "lower(hex(randomblob(6)))",
    number: (column, member) => `json_extract(${column}, '$.${member}')`,
  },
  postgres: {
    clustered: "",
    bytes: "BYTEA",
    random: "substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)",
    number: (column, member) => `cast(cast(${column} as json) ->> '${member}' as bigint)`,
  },
};

/**
 * Replaces `{{clustered}}` (table stored in key order), `{{bytes}}`, `{{random}}` (twelve hex digits) and
 * `{{number column.member}}` (a whole number in a column of JSON text; null if it is not there).
 */
export const inDialect = (statement: string, dialect: Dialect): string =>
  statement
    .replaceAll("{{clustered}}", words[dialect].clustered)
    .replaceAll("{{bytes}}", words[dialect].bytes)
    .replaceAll("{{random}}", words[dialect].random)
    .replaceAll(/\{\{number (\w+)\.(\w+)\}\}/g, (_, column: string, member: string) =>
      words[dialect].number(column, member),
    );
