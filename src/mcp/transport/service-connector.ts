import { setMaxListeners } from "node:events";
import { sealer } from "../../app/access/sealed.ts";
import type { AppContext } from "../../contract/call/app-context.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { localBackend } from "./local-backend.ts";
import { senderBodies } from "./sender-bodies.ts";
import { mcpHandler } from "./http.ts";
import type { McpHttpRequest } from "./http-request.ts";
import type { McpResponse } from "./http-answers.ts";
import { writesForClient } from "./http-client.ts";
import { LogLevels } from "../protocol/log-levels.ts";
import { connector } from "./connector.ts";
import { Sessions } from "./session.ts";
import { usualCheckMs } from "../methods/watching.ts";

export interface ServiceConnector {
  readonly app: AppContext;
  readonly catalogue: Catalogue;
  readonly version: string;
  readonly secrets: readonly string[];
  /** Aborts when the service stops. */
  readonly closing: AbortSignal;
  /** How often watched resources are checked, ms. */
  readonly watchEveryMs?: number;
}

/** The connector over HTTP, for the endpoints of this process. */
export function serviceConnector({
  app,
  catalogue,
  version,
  secrets,
  closing,
  watchEveryMs = usualCheckMs,
}: ServiceConnector): (request: McpHttpRequest) => Promise<McpResponse> {
  // Every open stream adds a listener.
  setMaxListeners(0, closing);
  const sealing = sealer(secrets, "connector dialogues");
  return mcpHandler({
    catalogue,
    connector: connector({
      ...catalogue,
      version,
      reportDefect: app.reportDefect,
      toolCalled: app.meter.toolCalled,
    }),
    backendFor: (credentials) => localBackend(app, credentials),
    baseUrl: () => app.baseUrl,
    bodies: senderBodies(app),
    dialogues: {
      db: app.db,
      write: writesForClient(app.db),
      sealer: sealing,
      sessions: new Sessions(sealing),
      clock: app.clock,
      levels: new LogLevels(),
      closing,
      watchEveryMs,
      reportDefect: app.reportDefect,
    },
  });
}
