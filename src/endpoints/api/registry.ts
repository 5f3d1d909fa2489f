import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { tools } from "../../../tools/registry.ts";

/** The endpoints of the API, in the order of their tools: every endpoint has a tool, and comes to REST with it. */
export const apiEndpoints: readonly Endpoint[] = [...new Set(tools.map(({ view }) => view.endpoint))];
