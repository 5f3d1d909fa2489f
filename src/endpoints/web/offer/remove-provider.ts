import { dropProvider } from "../../../services/offer/drop-provider.ts";
import { z } from "zod";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const removeProvider = defineEndpoint({
  id: "offers.remove_provider",
  method: "DELETE",
  path: "/admin/providers/{provider_id}",
  params: { provider_id: "provider_id" },
  access: { face: "web", who: "admin" },
  summary: "Delete a provider without offers.",
  input: z.strictObject({ provider_id: plainText(64) }),
  output: z.null(),
  success: [204],
  errors: ["invalid_state"],
  example: { input: { provider_id: "foundry" }, output: null },

  async handle({ provider_id }, { db, caller, now, fail }) {
    if (!(await db.write(dropProvider, provider_id, adminAct({ caller, now }))))
      return fail(
        "invalid_state",
        "Only a provider without offers can be deleted. Withdraw its offers first.",
      );
    return nothing();
  },
});
