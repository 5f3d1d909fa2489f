import type { Counter, Histogram } from "prom-client";
import { boundedLabels } from "./bounded-labels.ts";

/** Routes with a histogram of their own, and pairs of route and status with a counter of their own, at most. */
const mostRoutes = 120;
const mostPairs = 500;

/** The route of requests that no route takes. */
const noRoute = "none";

/** Takes a request: the pattern of its route (null: there is none), its status and how long it took, s. */
export type CountRequest = (route: string | null, status: number, seconds: number) => void;

/** Looks the series of a route and a status up once: each request after the first costs one look in a map. */
export function requestCounter(
  requests: Counter<"route" | "status">,
  durations: Histogram<"route">,
): CountRequest {
  const routeLabel = boundedLabels(mostRoutes);
  const pairLabel = boundedLabels(mostPairs);
  const routes = new Map<string, Histogram.Internal<"route">>();
  const pairs = new Map<string, Counter.Internal>();

  const durationsOf = (route: string): Histogram.Internal<"route"> => {
    const made = durations.labels(routeLabel(route));
    routes.set(route, made);
    return made;
  };
  const countOf = (pair: string, route: string, status: number): Counter.Internal => {
    const made = requests.labels(pairLabel(pair) === pair ? route : "other", String(status));
    pairs.set(pair, made);
    return made;
  };
  return (pattern, status, seconds) => {
    const route = pattern ?? noRoute;
    (routes.get(route) ?? durationsOf(route)).observe(seconds);
    const pair = `${status} ${route}`;
    (pairs.get(pair) ?? countOf(pair, route, status)).inc();
  };
}
