import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { FleetSoftware, VersionedPart } from "../../../core/software/fleet-versions.ts";
import { longestInstalledText } from "../../../core/software/inventory.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { readFleetSoftware } from "../../../services/software/read-fleet-software.ts";
import { exampleFleetSoftware } from "./example-software.ts";

export const listAccountSoftware = defineEndpoint({
  id: "software.list_all",
  method: "GET",
  path: "/monitoring/software",
  params: {},
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary:
    "The versions that run on all own servers: what runs in several versions first, and the oldest version of each first.",
  isAddition: true,
  input: z.strictObject({
    part: VersionedPart.optional(),
    name: plainText(longestInstalledText, 1).optional(),
    limit: z.int().min(1).max(100).default(50),
  }),
  output: FleetSoftware,
  errors: ["validation_error"],
  example: { input: { name: "MarketStalls" }, output: exampleFleetSoftware },

  handle: ({ part, name, limit }, context) =>
    readFleetSoftware(context, context.caller.account.id, { part: part ?? null, name: name ?? null }, limit),
});
