import type { FastifyInstance, FastifyRequest } from "fastify";
import findMyWay from "find-my-way";
import type { AppContext } from "../contract/call/app-context.ts";
import { Refusal } from "../core/errors.ts";
import { refuse } from "./refusals.ts";

/** `url` is written as the router writes it. */
interface TakenPath {
  readonly url: string;
  readonly methods: readonly string[];
}

/**
 * For answering wrong methods. One entry a path: a route for each of the 34 other methods of each path was
 * 5,000 routes, and a sixteenth of the start time.
 */
export interface TakenPaths {
  /** HEAD comes with GET. */
  add(url: string, methods: readonly string[]): void;
  /** Null if no path matches, or a placeholder is empty. */
  at(url: string): TakenPath | null;
  /** Whether a URL of another path can also match this route. */
  isShared(route: string): boolean;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly takenPaths: TakenPaths;
  }
}

function takenPaths(maxParamLength: number): TakenPaths {
  const router = findMyWay({ maxParamLength });
  const urls = new Set<string>();
  const shared = new Map<string, boolean>();
  return {
    add: (url, methods) => {
      urls.add(url);
      shared.clear();
      const all = methods.includes("GET") ? [...methods, "HEAD"] : methods;
      router.on("GET", url, () => {}, { url, methods: all } satisfies TakenPath);
    },
    at: (url) => {
      const found = router.find("GET", url);
      // Sound: only `add` stores values.
      const taken = (found?.store ?? null) as TakenPath | null;
      return found === null || Object.values(found.params).includes("") ? null : taken;
    },
    isShared: (route) => {
      const known = shared.get(route);
      if (known !== undefined) return known;
      const found = [...urls].some((url) => url !== route && canMeet(url, route));
      shared.set(route, found);
      return found;
    },
  };
}

/** Whether one URL can match both paths. */
function canMeet(one: string, other: string): boolean {
  const [segments, others] = [one.split("/"), other.split("/")];
  if (one.includes("*") || other.includes("*")) return true;
  return (
    segments.length === others.length &&
    segments.every((segment, place) => isAnySegment(segment) || meets(segment, others[place] ?? ""))
  );
}

const isAnySegment = (segment: string): boolean => segment.includes(":");

const meets = (segment: string, other: string): boolean => isAnySegment(other) || segment === other;

const refused = new WeakMap<FastifyRequest, TakenPath>();

/** The path's pattern if a request was refused for its method; null otherwise. */
export const refusedPath = (request: FastifyRequest): string | null => refused.get(request)?.url ?? null;

/** Answers 405 before the body is read. */
export function refuseOtherMethods(http: FastifyInstance, app: AppContext, maxParamLength: number): void {
  http.decorate("takenPaths", takenPaths(maxParamLength));
  http.addHook("onRequest", (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    // `PATCH /reports/{id}` also matches `/reports/compare`; most routes match no other path.
    if (route !== undefined && !http.takenPaths.isShared(route)) return done();
    const taken = http.takenPaths.at(request.raw.url ?? "");
    if (taken === null || taken.methods.includes(request.method)) return done();
    refused.set(request, taken);
    const allowed = taken.methods.join(", ");
    reply.header("allow", allowed);
    const words = `This path does not take this method. It takes ${allowed}.`;
    return refuse(app, request, reply, new Refusal("method_not_allowed", words));
  });
}
