import { getRegressionVerdict } from "../src/endpoints/api/server/get-regression-verdict.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(getRegressionVerdict, {
  name: "get_regression_verdict",
  title: "Regression verdict",
  description:
    "Whether a verified server got slower over 90 days of scheduled benchmarks: regression, stable or undecidable. undecidable is not stable; reason says why. metric is hardware if gameplay was not measured.",
  toolset: "fleet",
  urls: ["/servers/{server_id}/charts"],
  lists: { server_id: servers },
});
