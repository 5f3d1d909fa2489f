import { z } from "zod";
import { Id } from "../id.ts";
import { shownVersion } from "../server/link-code.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { compareVersions } from "./compare-versions.ts";
import { longestInstalledText } from "./inventory.ts";
import { knownBlocks, type KnownSoftware } from "./running-software.ts";

/** In the order of the list. */
export const VersionedPart = z.enum(["server", "java", "sender", "plugin", "mod"]);
export type VersionedPart = z.infer<typeof VersionedPart>;

/** Servers named in each row. */
export const mostServersNamed = 5;
/** After this many different versions, further servers are left out. */
const mostVersions = 20_000;

export const FleetVersion = z.object({
  part: VersionedPart,
  /** The family of a server, the vendor of a Java, the name of a plugin or mod. */
  name: thirdPartyText(longestInstalledText).nullable(),
  version: thirdPartyText(longestInstalledText).nullable(),
  /** Only a server has a build. */
  build: thirdPartyText(64).nullable(),
  /** How many versions of this software run in the fleet. */
  versions: z.int(),
  servers: z.int(),
  on: z.array(z.object({ server_id: Id, name: thirdPartyText(80).nullable() })),
});
export type FleetVersion = z.infer<typeof FleetVersion>;

export const FleetSoftware = z.object({
  data: z.array(FleetVersion),
  /** Rows that are not listed. */
  more: z.int(),
  /** Servers whose software is known, and how many of them `mostVersions` leaves out. */
  servers: z.int(),
  servers_left_out: z.int(),
});
export type FleetSoftware = z.infer<typeof FleetSoftware>;

export interface VersionFilter {
  readonly part: VersionedPart | null;
  /** The whole name; case is ignored. */
  readonly name: string | null;
}

export interface FleetMember {
  readonly name: string | null;
  readonly software: KnownSoftware;
}

type Version = Pick<FleetVersion, "part" | "name" | "version" | "build">;
type Counted = Omit<FleetVersion, "versions">;

export class FleetVersions {
  readonly #filter: VersionFilter;
  readonly #rows = new Map<string, Counted>();
  #servers = 0;
  #leftOut = 0;

  constructor({ part, name }: VersionFilter) {
    this.#filter = { part, name: name?.toLowerCase() ?? null };
  }

  add({ name, software }: FleetMember): void {
    if (software.inventory === null && software.reports === null) return;
    this.#servers += 1;
    if (this.#rows.size >= mostVersions) {
      this.#leftOut += 1;
      return;
    }
    // Two files of one version count as one server.
    const own = new Map(
      versionsOf(software)
        .filter((version) => this.#isWanted(version))
        .map((version) => [keyOf(version), version]),
    );
    for (const [key, version] of own) {
      const row = this.#rows.get(key) ?? { ...version, servers: 0, on: [] };
      row.servers += 1;
      if (row.on.length < mostServersNamed) row.on.push({ server_id: software.serverId, name });
      this.#rows.set(key, row);
    }
  }

  /** Software in several versions first, then by kind and name, the oldest version first. */
  list(limit: number): FleetSoftware {
    const versions = versionCounts([...this.#rows.values()]);
    const rows = [...this.#rows.values()]
      .map(({ part, name, version, build, servers, on }): FleetVersion => {
        const several = versions.get(nameOf({ part, name })) ?? 1;
        return { part, name, version, build, versions: several, servers, on };
      })
      .toSorted(
        (a, b) =>
          Number(a.versions === 1) - Number(b.versions === 1) ||
          VersionedPart.options.indexOf(a.part) - VersionedPart.options.indexOf(b.part) ||
          byText(a.name, b.name) ||
          compareVersions(a.version, b.version) ||
          compareVersions(a.build, b.build),
      );
    const data = rows.slice(0, limit);
    return {
      data,
      more: rows.length - data.length,
      servers: this.#servers,
      servers_left_out: this.#leftOut,
    };
  }

  #isWanted({ part, name }: Version): boolean {
    const { part: wantedPart, name: wantedName } = this.#filter;
    return (
      (wantedPart === null || part === wantedPart) &&
      (wantedName === null || name?.toLowerCase() === wantedName)
    );
  }
}

/** The number of versions of each name; an unknown version or build is not another one. */
function versionCounts(rows: readonly Version[]): ReadonlyMap<string, number> {
  const builds = new Map<string, Map<string, Set<string>>>();
  for (const row of rows) {
    if (row.version === null) continue;
    const ofName = builds.get(nameOf(row)) ?? new Map<string, Set<string>>();
    const ofVersion = ofName.get(row.version) ?? new Set<string>();
    if (row.build !== null) ofVersion.add(row.build);
    builds.set(nameOf(row), ofName.set(row.version, ofVersion));
  }
  const counted = [...builds].map(([name, ofName]) => {
    const sizes = [...ofName.values()].map(({ size }) => Math.max(1, size));
    return [name, sizes.reduce((sum, size) => sum + size, 0)] as const;
  });
  return new Map(counted);
}

/** Compares code units, so that the order is the same on every machine. */
const byText = (a: string | null, b: string | null): number =>
  (a ?? "") < (b ?? "") ? -1 : Number((a ?? "") > (b ?? ""));

const nameOf = ({ part, name }: Pick<Version, "part" | "name">): string => JSON.stringify([part, name]);
const keyOf = ({ part, name, version, build }: Version): string =>
  JSON.stringify([part, name, version, build]);

/** Files that are not loaded do not count. */
function versionsOf(known: KnownSoftware): Version[] {
  const { server, java } = knownBlocks(known);
  const sender = known.reports?.software.plugin_version ?? null;
  const { plugins = null, mods = null } = known.inventory?.inventory ?? {};
  const installed = (part: VersionedPart, list: typeof plugins): Version[] =>
    (list ?? [])
      .filter(({ enabled }) => enabled)
      .map(({ name, version }) => ({ part, name, version, build: null }));
  return [
    ...(server.type === null && server.version === null
      ? []
      : [{ part: "server" as const, name: server.type, version: server.version, build: server.build }]),
    ...(java.version === null
      ? []
      : [{ part: "java" as const, name: java.vendor, version: java.version, build: null }]),
    ...(sender === null
      ? []
      : [
          {
            part: "sender" as const,
            name: known.sender,
            version: shownVersion(sender),
            build: null,
          },
        ]),
    ...installed("plugin", plugins),
    ...installed("mod", mods),
  ];
}
