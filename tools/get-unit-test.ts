import { getUnitTest } from "../src/endpoints/api/unit-test/get-unit-test.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { unitTests } from "./id-lists.ts";

export default tool(getUnitTest, {
  name: "get_unit_test",
  title: "Get a unit test",
  description:
    "One unit test in full, by id or short_id: metrics, parameters, hardware, and each rung of a tier run.",
  arguments: { unit_test_id: "Full id or short_id" },
  toolset: "benchmarks",
  urls: ["/unit-tests/{unit_test_id}"],
  lists: { unit_test_id: unitTests },
});
