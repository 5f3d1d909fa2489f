import type { Captures } from "../../support/captures.ts";

type Things = Captures & { readonly server: string };

const theirs = { user: "200 404 404", admin: "200 404 404", suspended: "403 403 403" };
const lists = { user: "200 200 200", admin: "200 200 200", suspended: "403 403 403" };

/** Profiles and memory reports, as the table of ownership asks about them: an admin sees no more than anybody. */
export const captureCells = [
  {
    route: "profiles.list",
    ask: ({ server }: Things) => [`/servers/${server}/profiles/summaries`] as const,
    ...theirs,
  },
  {
    route: "profiles.get",
    ask: ({ server, profile }: Things) => [`/servers/${server}/profiles/${profile}`] as const,
    ...theirs,
  },
  {
    route: "profiles.compare",
    ask: ({ server, summary, otherSummary }: Things) =>
      [`/servers/${server}/profiles/compare?base=${summary}&target=${otherSummary}`] as const,
    ...theirs,
  },
  {
    route: "profiles.list_all",
    ask: ({ server }: Things) => [`/monitoring/profiles?server_id=${server}`] as const,
    ...lists,
  },
  {
    route: "memory_reports.list",
    ask: ({ server }: Things) => [`/servers/${server}/memory-reports`] as const,
    ...theirs,
  },
  {
    route: "memory_reports.get",
    ask: ({ server, memoryReport }: Things) => [`/servers/${server}/memory-reports/${memoryReport}`] as const,
    ...theirs,
  },
  {
    route: "memory_reports.compare",
    ask: ({ server, memoryReport, otherMemoryReport }: Things) =>
      [`/servers/${server}/memory-reports/compare?base=${memoryReport}&target=${otherMemoryReport}`] as const,
    ...theirs,
  },
  {
    route: "memory_reports.list_all",
    ask: ({ server }: Things) => [`/monitoring/memory-reports?server_id=${server}`] as const,
    ...lists,
  },
];
