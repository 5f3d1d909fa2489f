import { selectUnitTest, dropUnitTest } from "../../../store/unit-test/unit-tests.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";

export const deleteUnitTest = defineEndpoint({
  id: "unit_tests.delete",
  method: "DELETE",
  path: "/unit-tests/{id}",
  params: { id: "unit_test_id" },
  access: { face: "web", who: "person" },
  summary: "Deletes a single test for good; the report it belongs to stays.",
  input: z.strictObject({ unit_test_id: resourceOrShortIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found", "not_owner"],
  example: { input: { unit_test_id: "m4n8r2ttqx7c" }, output: null },

  async handle({ unit_test_id }, { db, caller, now, found, fail }) {
    const test = found(await db.read(selectUnitTest, unit_test_id, viewerOf(caller), now));
    if (test.authorId !== caller.account.id)
      fail("not_owner", "Only the author of a single test can delete it.");
    await dropUnitTest(db, test.id);
    return nothing();
  },
});
