import { getServerMetrics } from "../src/endpoints/api/metric/get-server-metrics.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(getServerMetrics, {
  name: "get_server_metrics",
  title: "Server metrics",
  description:
    "History of one own server (24h unless range, or from and to with a zone): summary (min, max, avg, p95 of every sample), gaps, and columns in buckets with min and max. At most 1200 / number of fields points. chart adds a PNG.",
  arguments: {
    range: "Period that ends now",
    fields: "Columns of the answer",
    max_points: "Buckets of the period",
    chart: "Adds a PNG",
  },
  toolset: "fleet",
  alsoIn: ["essentials"],
  urls: ["/servers/{server_id}/charts{?range}"],
  lists: { server_id: servers },
  draws: "series",
});
