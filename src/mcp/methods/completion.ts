import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { admitted, mayCall, askerOf, refuse, type Exchange, type Params, type Reply } from "./request.ts";
import { scopedServer } from "./references.ts";
import { rpcCode } from "../protocol/rpc.ts";
import { serverArgument } from "../catalogue/server-scope.ts";
import type { Suggestions } from "../catalogue/suggestions.ts";
import { hasRows } from "../result/view.ts";

/** The protocol's own bound. */
const mostValues = 100;

/** Ids a person may mean, from what the caller may see; nothing where none can be known. */
export async function complete(
  catalogue: Catalogue<Outline>,
  params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const { ref, argument, context } = params;
  const asked = isJsonObject(ref) && isJsonObject(argument) ? argument : null;
  const { name, value } = asked ?? {};
  if (!isJsonObject(ref) || typeof name !== "string" || typeof value !== "string")
    return refuse(
      exchange,
      rpcCode.invalidParams,
      "Completion takes a reference, and an argument with name and value",
    );
  const source = sourceOf(catalogue, ref, name);
  if (source === null)
    return refuse(exchange, rpcCode.invalidParams, "Nothing with this reference takes such an argument");
  const filled = isJsonObject(context) && isJsonObject(context["arguments"]) ? context["arguments"] : {};
  const values = source === "free" ? await none(exchange) : await suggested(source, value, filled, exchange);
  const shown = values.slice(0, mostValues);
  return {
    result: { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } },
  };
}

async function none(exchange: Exchange): Promise<string[]> {
  await admitted(exchange);
  return [];
}

/** Null where the reference or its argument is nobody's, `free` where any text will do. */
function sourceOf(
  { prompts, resources }: Catalogue<Outline>,
  ref: Record<string, unknown>,
  name: string,
): Suggestions<Outline> | "free" | null {
  if (ref["type"] === "ref/prompt") {
    const found = prompts.find(({ definition }) => definition.name === ref["name"]);
    const takes = found?.definition.arguments.some((argument) => argument.name === name) ?? false;
    return takes ? (found?.suggests[name] ?? "free") : null;
  }
  if (ref["type"] !== "ref/resource") return null;
  return resources.find(({ definition }) => definition["uriTemplate"] === ref["uri"])?.suggests[name] ?? null;
}

/** One look at the list, at no cost of the day; a caller who may not see it is suggested nothing. */
async function suggested(
  suggestions: Suggestions<Outline>,
  typed: string,
  filled: Readonly<Record<string, unknown>>,
  exchange: Exchange,
): Promise<string[]> {
  const { endpoint, input, value, knownBy, within = {} } = suggestions;
  const asker = await askerOf(exchange);
  if (!mayCall(endpoint, asker)) return [];
  const isInScope = await scopeOf(suggestions, exchange);
  const answer = await exchange.backend.look(endpoint, input, exchange.requestId);
  if (!answer?.ok || !hasRows(answer.value)) return [];
  const wanted = typed.toLowerCase();
  const values = answer.value.data.filter(isJsonObject).flatMap((row) => {
    const inside = Object.entries(within).every(
      ([argument, member]) => typeof filled[argument] !== "string" || filled[argument] === row[member],
    );
    const fits = [value, ...knownBy].some((member) =>
      String(row[member] ?? "")
        .toLowerCase()
        .includes(wanted),
    );
    return inside && fits && isInScope(row) && typeof row[value] === "string" ? [row[value]] : [];
  });
  return [...new Set(values)];
}

/** Which rows a connection may know of: where it is limited to one server, those that are or name this one. */
async function scopeOf(
  { kind, value, within = {} }: Suggestions<Outline>,
  { backend, narrowing }: Exchange,
): Promise<(row: Record<string, unknown>) => boolean> {
  if (narrowing.server === null) return () => true;
  const own = await scopedServer(backend, narrowing.server);
  const member = kind === "server" ? value : within[serverArgument];
  return (row) => own !== null && member !== undefined && row[member] === own;
}
