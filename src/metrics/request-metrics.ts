import type { Counter, Histogram } from "prom-client";
import { boundedLabels } from "./bounded-labels.ts";

/** The most routes with their own histogram, and pairs of route and status with their own counter. */
const mostRoutes = 120;
const mostPairs = 500;

/** The label of requests that no route takes. */
const noRoute = "none";

/** `route` is the pattern; null if no route takes the request. */
export type CountRequest = (route: string | null, status: number, seconds: number) => void;

/** Keeps the series of each route and status, so that a later request costs one lookup in a map. */
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
