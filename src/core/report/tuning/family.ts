import type { ReportPayload } from "../payload.ts";

/** Server software by the settings it reads; each family also reads those of the families before it. */
const families = {
  vanilla: ["vanilla", "fabric", "quilt", "forge", "neoforge"],
  bukkit: ["bukkit", "craftbukkit"],
  spigot: ["spigot"],
  paper: ["paper", "purpur", "pufferfish", "folia"],
} as const;
export type Family = keyof typeof families;

const lineage: readonly Family[] = ["vanilla", "bukkit", "spigot", "paper"];

const familyOfType = new Map<string, Family>(
  lineage.flatMap((family) => families[family].map((type) => [type, family] as const)),
);

/** The family of a server; null for software we do not know, and for hybrids, which mix two of them. */
export const familyOf = ({ server }: ReportPayload): Family | null =>
  server.is_hybrid === true ? null : (familyOfType.get(server.type ?? "") ?? null);

/** Whether `family` reads the settings that `origin` introduced. */
export const reads = (family: Family, origin: Family): boolean =>
  lineage.indexOf(family) >= lineage.indexOf(origin);
