import type { CallerView } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { callerOf, mayCall, type McpRequest } from "../methods/request.ts";
import { isOffered } from "./narrowing.ts";
import type { Tool } from "./tool.ts";

/** Parts that name a tool of no use to the caller are left out; of `either`, the first usable one stays. */
export type Sentence =
  | string
  | { readonly of: string; readonly list: readonly string[] }
  | { readonly either: readonly string[] };

export type Instructions = readonly (readonly Sentence[])[];

export function instructionsFor(
  lines: Instructions,
  tools: readonly Tool<Outline>[],
  isUseful: (tool: Tool<Outline>) => boolean,
): string {
  const useless = new Set(tools.filter((tool) => !isUseful(tool)).map(({ name }) => name));
  const isMentioned = (text: string): boolean =>
    (text.match(/\w+/g) ?? []).every((word) => !useless.has(word));
  const sentencesOf = (sentence: Sentence): string[] => {
    if (typeof sentence === "string") return isMentioned(sentence) ? [sentence] : [];
    if ("either" in sentence) return [sentence.either.find(isMentioned) ?? []].flat();
    const list = sentence.list.filter(isMentioned);
    return list.length > 0 ? [`${sentence.of}: ${list.join(", ")}.`] : [];
  };
  return lines
    .map((line) => line.flatMap(sentencesOf).join(" "))
    .filter((line) => line !== "")
    .join("\n");
}

/** Over stdio, where the caller may be unknown, only the narrowing decides. */
export async function usefulTo(context: McpRequest): Promise<(tool: Tool<Outline>) => boolean> {
  const { backend, guarded, narrowing, requestId } = context;
  const caller = guarded ? await callerOf(context) : await backend.knownCaller(requestId);
  return (tool) => isOffered(tool, narrowing) && (caller === null || isFor(tool, caller));
}

const isFor = ({ view: { endpoint, needs } }: Tool<Outline>, caller: CallerView): boolean =>
  mayCall(endpoint, caller) && (needs === undefined || caller.includes(needs));
