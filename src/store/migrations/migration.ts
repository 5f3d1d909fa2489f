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
}

const words: Record<Dialect, DialectWords> = {
  sqlite: { clustered: "WITHOUT ROWID", bytes: "BLOB", random: "lower(hex(randomblob(6)))" },
  postgres: {
    clustered: "",
    bytes: "BYTEA",
    random: "substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)",
  },
};

/** Replaces `{{clustered}}` (table stored in key order), `{{bytes}}` and `{{random}}` (twelve hex digits). */
export const inDialect = (statement: string, dialect: Dialect): string =>
  statement
    .replaceAll("{{clustered}}", words[dialect].clustered)
    .replaceAll("{{bytes}}", words[dialect].bytes)
    .replaceAll("{{random}}", words[dialect].random);
