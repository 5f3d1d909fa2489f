import { listUnitTests } from "../src/endpoints/api/unit-test/list-unit-tests.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor, ownOnly } from "./argument-words.ts";
import { reports, servers } from "./id-lists.ts";

export default tool(listUnitTests, {
  name: "list_unit_tests",
  title: "List unit tests",
  description:
    "Tests that ran by themselves, newest first: outcome, TPS, MSPT and software, without metrics or rungs (get_unit_test).",
  arguments: {
    ...cursor,
    ...ownOnly,
    test_id: "Kind of test, as shown",
    category: "As shown",
    parent_report_id: "Tests of that report",
  },
  toolset: "benchmarks",
  urls: ["/unit-tests{?mine,benchmark_mode,server_id}"],
  lists: { parent_report_id: reports, server_id: servers },
  rows: 6,
  whenEmpty: "No unit test can be seen by this caller yet; a plugin uploads one after a single test.",
});
