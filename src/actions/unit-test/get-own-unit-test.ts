import { action } from "../../contract/endpoint/action.ts";
import { selectUnitTest } from "../../store/unit-test/unit-tests.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { resourceOrShortIdInput } from "../../core/id.ts";

export const getOwnUnitTest = action({
  id: "unit_tests.get_own",
  who: "person",
  input: { unit_test_id: resourceOrShortIdInput() },
  errors: ["not_found"],

  async run({ unit_test_id }, { db, caller, now, found }) {
    const test = found(await db.read(selectUnitTest, unit_test_id, viewerOf(caller), now));
    return { may_manage: test.authorId === caller.account.id };
  },
});
