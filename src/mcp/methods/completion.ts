import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  admitted,
  mayCall,
  callerOf,
  refuseRequest,
  type McpRequest,
  type Params,
  type McpReply,
} from "./request.ts";
import { scopedServer } from "./references.ts";
import { rpcCode } from "../protocol/rpc.ts";
import { serverArgument } from "../catalogue/server-scope.ts";
import type { Suggestions } from "../catalogue/suggestions.ts";
import { hasRows } from "../result/view.ts";

/** The protocol's limit. */
const mostValues = 100;

/** Suggests ids from lists that the caller may read. */
export async function complete(
  catalogue: Catalogue<Outline>,
  params: Params,
  context: McpRequest,
): Promise<McpReply> {
  const { ref, argument, context: filledContext } = params;
  const argumentSent = isJsonObject(ref) && isJsonObject(argument) ? argument : null;
  const { name, value } = argumentSent ?? {};
  if (!isJsonObject(ref) || typeof name !== "string" || typeof value !== "string")
    return refuseRequest(
      context,
      rpcCode.invalidParams,
      "Completion needs a reference, and an argument with name and value",
    );
  const source = sourceOf(catalogue, ref, name);
  if (source === null)
    return refuseRequest(
      context,
      rpcCode.invalidParams,
      "The prompt or resource of this reference has no such argument",
    );
  const filled =
    isJsonObject(filledContext) && isJsonObject(filledContext["arguments"]) ? filledContext["arguments"] : {};
  const values = source === "free" ? await none(context) : await suggested(source, value, filled, context);
  const shown = values.slice(0, mostValues);
  return {
    result: { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } },
  };
}

async function none(context: McpRequest): Promise<string[]> {
  await admitted(context);
  return [];
}

/** Null if the reference or its argument is unknown; `free` if the argument takes any text. */
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

/** Reads the list without counting a call of the day. A caller who may not read it gets no suggestions. */
async function suggested(
  suggestions: Suggestions<Outline>,
  typed: string,
  filled: Readonly<Record<string, unknown>>,
  context: McpRequest,
): Promise<string[]> {
  const { endpoint, input, value, knownBy, within = {} } = suggestions;
  const caller = await callerOf(context);
  if (!mayCall(endpoint, caller)) return [];
  const isInScope = await scopeOf(suggestions, context);
  const answer = await context.backend.readFree(endpoint, input, context.requestId);
  if (!answer?.ok || !hasRows(answer.value)) return [];
  const prefix = typed.toLowerCase();
  const values = answer.value.data.filter(isJsonObject).flatMap((row) => {
    const inside = Object.entries(within).every(
      ([argument, member]) => typeof filled[argument] !== "string" || filled[argument] === row[member],
    );
    const fits = [value, ...knownBy].some((member) =>
      String(row[member] ?? "")
        .toLowerCase()
        .includes(prefix),
    );
    return inside && fits && isInScope(row) && typeof row[value] === "string" ? [row[value]] : [];
  });
  return [...new Set(values)];
}

/** On a connection limited to one server, only that server and the rows that name it are suggested. */
async function scopeOf(
  { kind, value, within = {} }: Suggestions<Outline>,
  { backend, narrowing }: McpRequest,
): Promise<(row: Record<string, unknown>) => boolean> {
  if (narrowing.server === null) return () => true;
  const own = await scopedServer(backend, narrowing.server);
  const member = kind === "server" ? value : within[serverArgument];
  return (row) => own !== null && member !== undefined && row[member] === own;
}
