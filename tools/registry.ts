import type { Tool } from "../src/mcp/tool.ts";
import compareReports from "./compare-reports.ts";
import createServerGroup from "./create-server-group.ts";
import getReport from "./get-report.ts";
import getServerStatus from "./get-server-status.ts";
import getTokenInfo from "./get-token-info.ts";
import linkServer from "./link-server.ts";
import listReports from "./list-reports.ts";
import listServerGroups from "./list-server-groups.ts";
import listServers from "./list-servers.ts";
import setServerGroup from "./set-server-group.ts";
import updateReport from "./update-report.ts";
import updateServer from "./update-server.ts";
import updateServerGroup from "./update-server-group.ts";

/** Every tool, in the order a model sees them: reading first, what changes something last. */
export const tools: readonly Tool[] = [
  listReports,
  getReport,
  compareReports,
  getTokenInfo,
  listServers,
  listServerGroups,
  getServerStatus,
  updateServer,
  createServerGroup,
  updateServerGroup,
  setServerGroup,
  linkServer,
  updateReport,
];
