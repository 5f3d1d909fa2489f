import {
  FleetVersions,
  type FleetMember,
  type FleetSoftware,
  type VersionFilter,
} from "../../core/software/fleet-versions.ts";
import { readOwnRows, type OwnReads, type RowOfServer } from "../server/read-own-rows.ts";
import { selectFleetSoftware } from "../../store/software/known-software.ts";

/** Servers read at once: an inventory has up to 2 MiB, and other requests run between two reads. */
const atOnce = 10;

export async function readFleetSoftware(
  from: OwnReads,
  account: string,
  filter: VersionFilter,
  limit: number,
): Promise<FleetSoftware> {
  const versions = new FleetVersions(filter);
  let after = "";
  for (;;) {
    const members = await readOwnRows(
      from,
      account,
      (reader) => reader.read(selectFleetSoftware, account, after, atOnce),
      serverOf,
    );
    for (const member of members) versions.add(member);
    const last = members.at(-1);
    if (last === undefined || members.length < atOnce) return versions.list(limit);
    after = last.software.serverId;
  }
}

const serverOf = ({ name, software: { serverId } }: FleetMember): RowOfServer => ({
  serverId,
  serverName: name,
});
