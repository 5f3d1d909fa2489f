import type { FastifyRequest } from "fastify";
import type { Consents } from "../contract/call/consents.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Assets } from "./assets.ts";
import type { PlotCache } from "./pages/servers/plot-cache.ts";

/** The services that the dashboard uses. */
export interface DashboardDeps {
  readonly app: AppContext;
  readonly assets: Assets;
  readonly consents: Consents;
  /** The small charts of the fleet page. */
  readonly plots: PlotCache;
  /** The text of a guide, as Markdown. */
  readonly guideText: (name: string) => string;
  /** The key that signs form tokens. */
  readonly csrfKey: string;
  /** Reads the body of a request, once. Rejects with the refusal of one that is too long. */
  readonly receive: (request: FastifyRequest, limit: number) => Promise<Buffer | null>;
  /** Whether a body may be longer than the limit for visitors without a session. */
  readonly isLongBody: (request: FastifyRequest) => boolean;
  /** The part of the client's address by which attempts are counted. */
  readonly addressOf: (request: FastifyRequest) => string;
}
