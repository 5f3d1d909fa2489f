import { exampleServer } from "../../../core/server/example-server.ts";
import type { FleetSoftware } from "../../../core/software/fleet-versions.ts";
import type { RunningSoftware } from "../../../core/software/running-software.ts";

export const exampleSoftware: RunningSoftware = {
  server_id: exampleServer.id,
  first_received_at: "2026-11-01T10:00:30.000Z",
  received_at: "2026-11-19T18:02:41.000Z",
  server: { type: "paper", name: "Paper", version: "1.21.8", build: "1.21.8-60", changed_at: null },
  java: {
    version: "21.0.8",
    vendor: "Eclipse Adoptium",
    flags: ["-Xms8G", "-Xmx8G", "-XX:+UseG1GC"],
    changed_at: "2026-11-12T05:00:40.000Z",
  },
  sender: { kind: "agent", version: "tickmark-agent 0.1.0", changed_at: null },
  plugins: [
    { name: "MarketStalls", version: "2.10.1", enabled: true, changed_at: "2026-11-19T18:02:41.000Z" },
  ],
  mods: [],
  settings: [{ setting: "view_distance", value: 10, changed_at: null }],
  files: [{ file: "server.properties", changed_at: null }],
};

export const exampleFleetSoftware: FleetSoftware = {
  data: [
    {
      part: "plugin",
      name: "MarketStalls",
      version: "2.10.0",
      build: null,
      versions: 2,
      servers: 1,
      on: [{ server_id: exampleServer.id, name: "Lobby" }],
    },
  ],
  more: 11,
  servers: 4,
  servers_left_out: 0,
};
