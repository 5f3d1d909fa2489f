const never = "403 403 403";

/** The endpoints beside the documented ones, as the table of ownership asks about them. */
export const additionCells = [
  {
    route: "servers.health",
    ask: ({ server }: { server: string }) => [`/servers/${server}/health`] as const,
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "servers.software",
    ask: ({ server }: { server: string }) => [`/servers/${server}/software`] as const,
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "events.list_all",
    ask: ({ server }: { server: string }) => [`/monitoring/events?server_id=${server}`] as const,
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "software.list_all",
    ask: () => ["/monitoring/software"] as const,
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "metrics.compare",
    ask: ({ server }: { server: string }) => [`/servers/${server}/metrics/compare`] as const,
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "monitoring.health",
    ask: () => ["/monitoring/health"] as const,
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "alert_rules.preview",
    ask: ({ server }: { server: string }) =>
      [`/servers/${server}/alert-rules/preview?metric=offline`] as const,
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
];
