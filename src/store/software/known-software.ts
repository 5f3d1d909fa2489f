import { Sender } from "../../core/server/link-code.ts";
import type { FleetMember } from "../../core/software/fleet-versions.ts";
import type { KnownSoftware } from "../../core/software/running-software.ts";
import { all, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { selectSender } from "../server/links.ts";
import { reportsIn, selectReportedSoftware } from "./reported-software.ts";
import { serverSoftwareTable } from "./server-software-table.ts";
import { softwareOf } from "./server-software.ts";

export function* selectKnownSoftware(serverId: string): Work<KnownSoftware> {
  return {
    serverId,
    sender: yield* selectSender(serverId),
    reports: yield* selectReportedSoftware(serverId),
    inventory: yield* softwareOf(serverId),
  };
}

const members = query<{ account: string; after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("server")
    .select(["id", "name", "sender", "reported_software"])
    .where("account_id", "=", $.account)
    .where("id", ">", $.after)
    .orderBy("id")
    .limit($.limit),
);

const inventories = query<{ account: string; after: string; to: string }>()((db, $) =>
  db
    .selectFrom("server_software as w")
    .innerJoin("server as s", "s.id", "w.server_id")
    .select(serverSoftwareTable.of("w"))
    .where("s.account_id", "=", $.account)
    .where("s.id", ">", $.after)
    .where("s.id", "<=", $.to),
);

export function* selectFleetSoftware(account: string, after: string, limit: number): Work<FleetMember[]> {
  const servers = yield* all(members, { account, after, limit });
  const to = servers.at(-1)?.id ?? after;
  const rows = yield* all(inventories, { account, after, to });
  const byServer = new Map(rows.map((row) => [row.server_id, serverSoftwareTable.toRecord(row)]));
  return servers.map(({ id, name, sender, reported_software }) => ({
    name,
    software: {
      serverId: id,
      sender: Sender.parse(sender),
      reports: reportsIn(reported_software),
      inventory: byServer.get(id) ?? null,
    },
  }));
}
