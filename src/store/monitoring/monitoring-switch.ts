import { query } from "../engine/query.ts";

export const monitoringOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("server").select(["monitoring_enabled", "linked_at"]).where("id", "=", $.id),
);

export const countMonitored = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("server")
    .select((eb) => eb.fn.countAll<number>().as("enabled"))
    .where("account_id", "=", $.account)
    .where("monitoring_enabled", "=", 1),
);

export const setMonitored = query<{ id: string; enabled: number }>()((db, $) =>
  db.updateTable("server").set({ monitoring_enabled: $.enabled }).where("id", "=", $.id),
);
