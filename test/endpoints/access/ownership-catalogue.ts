const never = "403 403 403";

/** Single tests and offers, as the table of ownership asks about them. */
export const catalogueCells = [
  {
    route: "unit_tests.list",
    ask: ({ server }: { server: string }) => [`/unit-tests?server_id=${server}`] as const,
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "unit_tests.get",
    ask: ({ unitTest }: { unitTest: string }) => [`/unit-tests/${unitTest}`] as const,
    user: "200 404 404",
    admin: "200 200 404",
    suspended: never,
  },
  {
    route: "offers.list",
    ask: () => ["/offers"] as const,
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
];
