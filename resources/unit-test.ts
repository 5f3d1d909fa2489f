import { getUnitTest } from "../src/endpoints/api/unit-test/get-unit-test.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownUnitTests } from "./suggestions.ts";
import { unitTests } from "../tools/id-lists.ts";

export default resource(getUnitTest, {
  uri: "tickmark://unit-tests/{unit_test_id}",
  urls: ["/unit-tests/{unit_test_id}"],
  name: "unit-test",
  title: "Unit test",
  description: "One unit test in full, by id or short_id.",
  ttlSeconds: 60,
  suggests: { unit_test_id: ownUnitTests },
  lists: { unit_test_id: unitTests },
});
