import { action } from "../../contract/endpoint/action.ts";
import { selectUnitTest, dropUnitTest } from "../../store/unit-test/unit-tests.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { resourceOrShortIdInput } from "../../core/id.ts";

/** The report that it belongs to stays. */
export const deleteUnitTest = action({
  id: "unit_tests.delete",
  who: "person",
  input: { unit_test_id: resourceOrShortIdInput() },
  errors: ["not_found", "not_owner"],

  async run({ unit_test_id }, { db, caller, now, found, fail }) {
    const test = found(await db.read(selectUnitTest, unit_test_id, viewerOf(caller), now));
    if (test.authorId !== caller.account.id)
      fail("not_owner", "Only the author of a single test can delete it.");
    await dropUnitTest(db, test.id);
    return null;
  },
});
