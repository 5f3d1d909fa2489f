import { one, run } from "../../src/store/engine/database.ts";
import { query } from "../../src/store/engine/query.ts";
import type { TestService } from "../support/service.ts";

/** What only an operator or time does to stored rows, done directly. */

const certifyReport = query<{ id: string; at: number; until: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ certified_at: $.at, certificate_expires_at: $.until })
    .where("id", "=", $.id),
);

const countReports = query<Record<string, never>>()((db) =>
  db.selectFrom("report").select((eb) => eb.fn.countAll<number>().as("count")),
);

const forgetWindows = query<Record<string, never>>()((db) => db.deleteFrom("rate_window"));

const dayMs = 24 * 60 * 60 * 1000;

export const certify = ({ app, service }: TestService, id: string): Promise<number> =>
  service.database.write(() => run(certifyReport, { id, at: app.clock(), until: app.clock() + 90 * dayMs }));

/** Everybody's windows start anew. */
export const forgetCounts = ({ service }: TestService): Promise<number> =>
  service.database.writeRelaxed(() => run(forgetWindows, {}));

export const storedReports = async ({ service }: TestService): Promise<number> =>
  (await service.database.read(() => one(countReports, {})))?.count ?? 0;
