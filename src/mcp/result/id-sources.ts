import type { Refused } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { mayCall, type McpRequest } from "../methods/request.ts";
import type { View } from "./view.ts";

/** For each refused id, the first tool that lists such ids and that the caller may call. */
export async function idSources(
  { tools }: Pick<Catalogue<Outline>, "tools">,
  { backend, requestId }: McpRequest,
  view: View<Outline>,
  refused: Refused,
): Promise<readonly string[]> {
  const source = namedBy(view.lists, view, refused);
  if (source.length === 0) return [];
  const caller = await backend.knownCaller(requestId);
  const isAtHand = (source: string): boolean => {
    const [name] = source.split(" ", 1);
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) return false;
    const { endpoint } = tool.view;
    return caller === null ? isOpenAlike(endpoint, view.endpoint) : mayCall(endpoint, caller);
  };
  return [...new Set(source.flatMap((sources) => sources.find(isAtHand) ?? []))];
}

/** What is known about the refused id's argument, or about all arguments if the refusal names none. */
export function namedBy<T>(
  known: Readonly<Record<string, T>> = {},
  { idFilters }: Pick<View<Outline>, "idFilters">,
  { body: { error, field } }: Refused,
): T[] {
  if (error !== "not_found" && !(error === "validation_error" && idFilters.some((name) => name === field)))
    return [];
  const all = Object.entries(known);
  return all.filter(([name]) => field === undefined || name === field).map(([, of]) => of);
}

/** Whether a caller that passed the scope check of one endpoint may call the other. */
const isOpenAlike = ({ access }: Outline, { access: passed }: Outline): boolean =>
  access.face === "api" &&
  passed.face === "api" &&
  access.scope === passed.scope &&
  access.plan === undefined;
