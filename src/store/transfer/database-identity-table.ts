import { table, text } from "../engine/table.ts";

export const databaseIdentityTable = table("database_identity", { id: text });
