import { javaServer } from "../../src/agent/install/server-kind.ts";
import type { ServerInstall } from "../../src/agent/install/server-install.ts";

/** A server of which nothing was found but what `known` says. */
export const installWith = (known: Partial<ServerInstall>): ServerInstall => ({
  directory: "/nowhere",
  kind: javaServer,
  host: "127.0.0.1",
  port: 25_565,
  rcon: null,
  management: null,
  managementLacks: "switch",
  log: "/nowhere/logs/latest.log",
  gcLog: null,
  metricsUrl: null,
  findProcess: async () => null,
  ...known,
});
