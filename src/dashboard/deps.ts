import type { FastifyRequest } from "fastify";
import type { Consents } from "../contract/call/consents.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Assets } from "./assets.ts";
import type { PlotCache } from "./pages/servers/plot-cache.ts";

export interface DashboardDeps {
  readonly app: AppContext;
  readonly assets: Assets;
  readonly consents: Consents;
  /** For the small charts of the fleet page. */
  readonly plots: PlotCache;
  /** As Markdown. */
  readonly guideText: (name: string) => string;
  /** Signs form tokens. */
  readonly csrfKey: string;
  /** Reads the body of a request, once. Rejects with a refusal if the body is too long. */
  readonly receive: (request: FastifyRequest, limit: number) => Promise<Buffer | null>;
  /** Whether a body may exceed the limit for visitors without a session. */
  readonly isLongBody: (request: FastifyRequest) => boolean;
  /** The part of the client's address by which attempts are counted. */
  readonly addressOf: (request: FastifyRequest) => string;
}
