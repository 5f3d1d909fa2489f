import type { CallerView } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { callerOf, mayCall, type McpRequest } from "../methods/request.ts";
import { isOffered } from "./narrowing.ts";
import type { Tool } from "./tool.ts";

/**
 * One sentence of the instructions: left out where it names a tool that is no use to the caller. Of a list the parts
 * that name none stay; of `either` the first sentence that names none is used.
 */
export type Sentence =
  | string
  | { readonly of: string; readonly list: readonly string[] }
  | { readonly either: readonly string[] };

/** Lines of sentences. */
export type Instructions = readonly (readonly Sentence[])[];

/** Instructions in which no tool is named that is no use to the caller. */
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

/**
 * The tools that are of use to the caller: those it is offered, without those that its plan leaves empty. Over stdio,
 * where the caller may be unknown, the ones that narrowing leaves.
 */
export async function usefulTo(context: McpRequest): Promise<(tool: Tool<Outline>) => boolean> {
  const { backend, guarded, narrowing, requestId } = context;
  const caller = guarded ? await callerOf(context) : await backend.knownCaller(requestId);
  return (tool) => isOffered(tool, narrowing) && (caller === null || isFor(tool, caller));
}

const isFor = ({ view: { endpoint, needs } }: Tool<Outline>, caller: CallerView): boolean =>
  mayCall(endpoint, caller) && (needs === undefined || caller.includes(needs));
