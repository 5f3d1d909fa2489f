import type { Resource } from "../src/mcp/resource.ts";
import report from "./report.ts";
import serverGroups from "./server-groups.ts";
import serverStatus from "./server-status.ts";
import token from "./token.ts";

/** Every resource and template, in the order a model sees them. */
export const resources: readonly Resource[] = [report, serverStatus, serverGroups, token];
