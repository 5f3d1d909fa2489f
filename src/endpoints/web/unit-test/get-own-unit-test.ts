import { selectUnitTest } from "../../../store/unit-test/unit-tests.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";

export const getOwnUnitTest = defineEndpoint({
  id: "unit_tests.get_own",
  method: "GET",
  path: "/unit-tests/{id}/own",
  params: { id: "unit_test_id" },
  access: { face: "web", who: "person" },
  summary: "Whether this person may publish, hide or delete a single test.",
  input: z.strictObject({ unit_test_id: resourceOrShortIdInput() }),
  output: z.object({ may_manage: z.boolean() }),
  errors: ["not_found"],
  example: { input: { unit_test_id: "m4n8r2ttqx7c" }, output: { may_manage: true } },

  async handle({ unit_test_id }, { db, caller, now, found }) {
    const test = found(await db.read(selectUnitTest, unit_test_id, viewerOf(caller), now));
    return { may_manage: test.authorId === caller.account.id };
  },
});
