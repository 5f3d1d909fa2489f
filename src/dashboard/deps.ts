import type { FastifyRequest } from "fastify";
import type { Consents } from "../contract/access/consents.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Assets } from "./assets.ts";

/** What the dashboard needs of the building it stands in. */
export interface DashboardDeps {
  readonly app: AppContext;
  readonly assets: Assets;
  readonly consents: Consents;
  /** Signs what a form's token is made of. */
  readonly csrfKey: string;
  /** Reads the body of a request, once. Rejects with the refusal of one that is too long. */
  readonly receive: (request: FastifyRequest, limit: number) => Promise<Buffer | null>;
  /** Whether a body may be longer than what is read for visitors who are not signed in. */
  readonly isLongBody: (request: FastifyRequest) => boolean;
  /** The part of the client's address that counts as one caller. */
  readonly addressOf: (request: FastifyRequest) => string;
  /** Answers every other method of a path 405. */
  readonly refuseOtherMethods: (url: string, taken: readonly string[]) => void;
}
