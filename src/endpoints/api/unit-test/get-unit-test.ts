import { selectUnitTest } from "../../../store/unit-test/unit-tests.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { toUnitTestDetail } from "../../../core/unit-test/show.ts";
import { UnitTestDetail } from "../../../core/unit-test/unit-test.ts";
import { exampleUnitTestDetail } from "./example-unit-test.ts";

export const getUnitTest = defineEndpoint({
  id: "unit_tests.get",
  method: "GET",
  path: "/unit-tests/{id}",
  params: { id: "unit_test_id" },
  access: { face: "api", scope: "unit-tests:read", anonymous: true },
  summary: "One single test in full: its measurements, and the rungs of a ramp.",
  input: z.strictObject({ unit_test_id: resourceOrShortIdInput() }),
  output: UnitTestDetail,
  errors: ["not_found"],
  example: { input: { unit_test_id: exampleUnitTestDetail.short_id }, output: exampleUnitTestDetail },

  async handle({ unit_test_id }, { db, caller, now, found }) {
    const viewer = viewerOf(caller);
    return toUnitTestDetail(found(await db.read(selectUnitTest, unit_test_id, viewer, now)), viewer);
  },
});
