import type { FastifyInstance, FastifyRequest } from "fastify";
import findMyWay from "find-my-way";
import type { AppContext } from "../contract/call/app-context.ts";
import { Refusal } from "../core/errors.ts";
import { refuse } from "./refusals.ts";

/** A path that the service has, as the router spells it, and the methods that it takes. */
interface TakenPath {
  readonly url: string;
  readonly methods: readonly string[];
}

/**
 * The paths of a service, for requests whose method their path does not take. One entry a path: a route for each of the
 * 34 other methods of each path was 5,000 routes, which took a sixteenth of the start.
 */
export interface TakenPaths {
  /** Adds a path with all its methods; HEAD comes with GET. */
  add(url: string, methods: readonly string[]): void;
  /** The path of a URL, however it is spelt; null where a placeholder stands for nothing. */
  at(url: string): TakenPath | null;
  /** Whether the URL of another path can lead to the route of this one. */
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
      // Sound: `add` alone puts anything there.
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

/** Whether one URL can be of both paths. */
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

/** The path of each request whose method was not one of its path. */
const refused = new WeakMap<FastifyRequest, TakenPath>();

/** The pattern of the path that a request asked for with another method; null where there is none. */
export const refusedPath = (request: FastifyRequest): string | null => refused.get(request)?.url ?? null;

/** Answers 405 to every method that a path does not take, before the body is read. */
export function refuseOtherMethods(http: FastifyInstance, app: AppContext, maxParamLength: number): void {
  http.decorate("takenPaths", takenPaths(maxParamLength));
  http.addHook("onRequest", (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    // The id in `PATCH /reports/{id}` may be the last word of the path `/reports/compare`; most routes meet no other.
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
