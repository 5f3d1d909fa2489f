import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { siteStep } from "../../core/server/status.ts";
import { SoftwareInventory } from "../../core/software/inventory.ts";
import { recordSoftware } from "../../services/software/record-software.ts";

export const sendSoftware = defineEndpoint({
  id: "software.send",
  method: "PUT",
  path: "/software",
  params: {},
  access: { face: "plugin", credential: "server", saysAccepted: true },
  summary:
    "Send the whole software of the server: its version, Java, plugins, mods and settings. What differs from the inventory before stands in the timeline.",
  input: SoftwareInventory,
  batch: "software",
  output: z.object({ accepted: z.boolean(), changes: z.int() }),
  errors: [],
  example: {
    input: {
      server: { type: "paper", name: "Paper", version: "1.21.4", build: "147" },
      java: { version: "21.0.4", vendor: "Eclipse Adoptium", flags: ["-Xmx8G", "-XX:+UseG1GC"] },
      plugins: [{ name: "MarketStalls", version: "2.10.1", enabled: true }],
      mods: [],
      settings: { view_distance: 10, simulation_distance: 8 },
      files: [{ file: "server.properties", sha256: "9f86d081884c7d659a2feaa0c55ad015".repeat(2) }],
    },
    output: { accepted: true, changes: 0 },
  },

  async handle(inventory, { db, caller, now }) {
    const { server, limits } = caller;
    if (siteStep(server, limits) !== "on") return { accepted: false, changes: 0 };
    const changes = await db.write(recordSoftware, server.id, inventory, now);
    return { accepted: true, changes: changes.length };
  },
});
