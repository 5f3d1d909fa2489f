import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { tools } from "../../../tools/registry.ts";

/** In the order of their tools: every endpoint of the API has at least one tool. */
export const apiEndpoints: readonly Endpoint[] = [...new Set(tools.map(({ view }) => view.endpoint))];
