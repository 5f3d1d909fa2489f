import { listAccountMemoryReports } from "../src/endpoints/api/memory-report/list-account-memory-reports.ts";
import { listAccountProfiles } from "../src/endpoints/api/profile/list-account-profiles.ts";
import { listReports } from "../src/endpoints/api/report/list-reports.ts";
import { listServers } from "../src/endpoints/api/server/list-servers.ts";
import { listUnitTests } from "../src/endpoints/api/unit-test/list-unit-tests.ts";
import type { Suggestions } from "../src/mcp/catalogue/suggestions.ts";

const limit = 100;

/** Where each kind of id comes from: the newest of one's own. */
export const ownServers: Suggestions = {
  endpoint: listServers,
  input: { limit, owner: "me" },
  value: "id",
  kind: "server",
  knownBy: ["name"],
};

export const ownReports: Suggestions = {
  endpoint: listReports,
  input: { limit, mine: true },
  value: "short_id",
  knownBy: ["id", "server_type", "benchmark_mode"],
};

export const ownUnitTests: Suggestions = {
  endpoint: listUnitTests,
  input: { limit, mine: true },
  value: "short_id",
  knownBy: ["id", "test_id"],
};

export const ownProfiles: Suggestions = {
  endpoint: listAccountProfiles,
  input: { limit },
  value: "profile_id",
  knownBy: ["server_name", "trigger"],
  within: { server_id: "server_id" },
};

export const ownMemoryReports: Suggestions = {
  endpoint: listAccountMemoryReports,
  input: { limit },
  value: "id",
  knownBy: ["server_name", "kind"],
  within: { server_id: "server_id" },
};
