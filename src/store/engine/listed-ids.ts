import { sql } from "kysely";
import type { Dialect } from "./query.ts";

/** A one-column table (`id`) made from a JSON array of ids. */
export const listedIds = (dialect: Dialect, ids: string) =>
  dialect === "sqlite"
    ? sql<{ id: string }>`(select value as id from json_each(${ids}))`
    : sql<{ id: string }>`(select value as id from json_array_elements_text(cast(${ids} as json)))`;
