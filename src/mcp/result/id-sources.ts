import type { Refused } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { mayCall, type McpRequest } from "../methods/request.ts";
import type { View } from "./view.ts";

/**
 * Where ids come from that would do in place of the one refused: of the tools that list them the first that the
 * caller may call; none where there is none. `tools` are those that the caller's connection is narrowed to.
 */
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

/** What is known by argument of the id that was refused: of every one where the refusal does not tell which. */
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

/** Whether a caller whose input the one endpoint looked at may call the other: the scope comes before any input. */
const isOpenAlike = ({ access }: Outline, { access: passed }: Outline): boolean =>
  access.face === "api" &&
  passed.face === "api" &&
  access.scope === passed.scope &&
  access.plan === undefined;
