import { agentEndpoints } from "../endpoints/agent/registry.ts";
import { apiEndpoints } from "../endpoints/api/registry.ts";
import { pluginEndpoints } from "../endpoints/plugin/registry.ts";
import type { DocumentWords } from "../rest/pages.ts";
import type { Mounted } from "../rest/routes.ts";

const apiVersion = "1.0.0";

const api: Mounted = { prefix: "/api/v1", endpoints: apiEndpoints };
const agent: Mounted = { prefix: "/agent/v1", endpoints: agentEndpoints };
const plugin: Mounted = { prefix: "/plugin/v1", endpoints: pluginEndpoints };

/** By the name of their page in the documentation. */
export const describedFaces: readonly (readonly [name: string, mounted: Mounted, words: DocumentWords])[] = [
  [
    "api",
    api,
    {
      title: "Tickmark API",
      description:
        "Benchmark reports and monitoring of game servers, read and narrowly changed with a token.",
      version: apiVersion,
    },
  ],
  [
    "plugin",
    plugin,
    {
      title: "Tickmark plugin API",
      description:
        "How game servers send heartbeats, measurements and reports. A body is at most 64 KiB long once decompressed for a heartbeat, 4 KiB for link codes, 16 MiB for profiles and memory reports, and 2 MiB elsewhere. A server may send 20 requests a second and 60 at once; a refused body counts as ten of them, and as one more for each 16 KiB.",
      version: apiVersion,
    },
  ],
  [
    "runner",
    agent,
    {
      title: "Tickmark runner API",
      description: "How the machines that run scheduled benchmarks take their jobs and tell how they go.",
      version: apiVersion,
    },
  ],
];
