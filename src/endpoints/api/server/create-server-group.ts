import { addGroup } from "../../../services/server/add-group.ts";
import { z } from "zod";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { colorOrNone, maxGroups, ServerGroup, toServerGroup } from "../../../core/server/server-group.ts";
import { callerName, plainText } from "../../../core/text/third-party-text.ts";
import { exampleGroup } from "./example-group.ts";

export const createServerGroup = defineEndpoint({
  id: "server_groups.create",
  method: "POST",
  path: "/server-groups",
  params: {},
  access: { face: "api", scope: "servers:write" },
  summary: "Create a server group; a colour outside the palette becomes none.",
  input: z.strictObject({ name: callerName(64), color: plainText(256).nullable().optional() }),
  output: ServerGroup,
  success: [201, 200],
  errors: ["quota_exceeded", "idempotency_mismatch"],
  replayable: true,
  idempotent: true,
  example: { input: { name: "Survival", color: "green" }, output: exampleGroup },

  async handle({ name, color }, { db, caller, now, secrets, replay, fail }) {
    const group = {
      id: secrets.newId(now),
      accountId: caller.account.id,
      name,
      color: colorOrNone(color ?? null),
      now,
      limit: maxGroups,
    };
    const made = await db.write(addGroup, group, replay);
    if (made === null) {
      return fail(
        "quota_exceeded",
        `An account can have at most ${maxGroups} server groups. Rename one, or delete one in the dashboard.`,
      );
    }
    if (made.kind === "mismatch") {
      return fail(
        "idempotency_mismatch",
        "This Idempotency-Key was used before with another body. Use a new key for a new request.",
      );
    }
    const shown = toServerGroup(made.value);
    return made.kind === "created" ? created(shown) : shown;
  },
});
