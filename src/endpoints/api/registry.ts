import type { Endpoint } from "../../contract/endpoint.ts";
import { compareReports } from "./reports/compare-reports.ts";
import { getReport } from "./reports/get-report.ts";
import { listReports } from "./reports/list-reports.ts";
import { updateReport } from "./reports/update-report.ts";
import { createServerGroup } from "./server-groups/create-server-group.ts";
import { listServerGroups } from "./server-groups/list-server-groups.ts";
import { updateServerGroup } from "./server-groups/update-server-group.ts";
import { getServerStatus } from "./servers/get-server-status.ts";
import { linkServer } from "./servers/link-server.ts";
import { listServers } from "./servers/list-servers.ts";
import { setServerGroup } from "./servers/set-server-group.ts";
import { updateServer } from "./servers/update-server.ts";
import { getTokenInfo } from "./token/get-token-info.ts";

/** The documented endpoints, in the order of the documentation. */
export const apiEndpoints: readonly Endpoint[] = [
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
