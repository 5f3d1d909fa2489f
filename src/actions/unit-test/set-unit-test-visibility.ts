import { action } from "../../contract/endpoint/action.ts";
import { selectUnitTest, updateUnitTestVisibility } from "../../store/unit-test/unit-tests.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { refuseBadDescription, requireVerifiedEmail } from "../../contract/call/publishing.ts";
import { resourceOrShortIdInput } from "../../core/id.ts";
import { Visibility } from "../../core/report/report.ts";

export const setUnitTestVisibility = action({
  id: "unit_tests.set_visibility",
  who: "person",
  input: { unit_test_id: resourceOrShortIdInput(), visibility: Visibility },
  errors: ["too_many_links", "text_rejected", "not_found", "not_owner", "email_not_verified"],

  async run({ unit_test_id, visibility }, { db, caller, now, isAcceptable, found, fail }) {
    const test = found(await db.read(selectUnitTest, unit_test_id, viewerOf(caller), now));
    if (test.authorId !== caller.account.id)
      fail("not_owner", "Only the author of a single test can change its visibility.");
    if (visibility !== "private") {
      refuseBadDescription(test.content.description, isAcceptable, fail);
      requireVerifiedEmail(caller, fail);
    }
    await updateUnitTestVisibility(db, test.id, visibility);
    return { visibility };
  },
});
