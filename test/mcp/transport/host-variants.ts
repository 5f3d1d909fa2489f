type Variant = readonly [name: string, rawHeaders: string[], verdict: "foreign" | "duplicate" | null];

/** Ways to name a service that is reached at `own`, an address of this machine with its port. */
export function hostVariants(own: string, other: string): readonly Variant[] {
  const [, port = ""] = own.split(":");
  const base = `http://${own}`;
  return [
    ["own host", ["Host", own], null],
    ["loopback name", ["Host", `localhost:${port}`], null],
    ["loopback v6", ["host", `[::1]:${port}`], null],
    ["upper case", ["Host", `LOCALHOST:${port}`], null],
    ["own origin", ["Host", own, "Origin", base], null],
    ["another loopback origin", ["Host", own, "Origin", `http://localhost:${port}`], null],
    ["no origin", ["Host", own, "Accept", "*/*"], null],
    ["no host", [], "foreign"],
    ["empty host", ["Host", ""], "foreign"],
    ["rebound name", ["Host", `evil.example:${port}`], "foreign"],
    ["another port", ["Host", `127.0.0.1:${other}`], "foreign"],
    ["no port", ["Host", "127.0.0.1"], "foreign"],
    ["name that begins alike", ["Host", `127.0.0.1.evil.example:${port}`], "foreign"],
    ["credentials in the host", ["Host", `${own}@evil.example`], "foreign"],
    ["foreign origin", ["Host", own, "Origin", "http://evil.example"], "foreign"],
    ["opaque origin", ["Host", own, "Origin", "null"], "foreign"],
    ["another scheme", ["Host", own, "Origin", `https://${own}`], "foreign"],
    ["empty origin", ["Host", own, "Origin", ""], "foreign"],
    ["two hosts", ["Host", own, "host", own], "duplicate"],
    [
      "two origins, one foreign",
      ["Host", "evil.example", "Origin", base, "ORIGIN", "http://evil.example"],
      "duplicate",
    ],
  ];
}
