import type { Asker } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { askerOf, mayCall, type Exchange } from "../methods/request.ts";
import { isOffered } from "./narrowing.ts";
import type { Tool } from "./tool.ts";

/**
 * One sentence of the instructions: left out where it names a tool that is no use to the caller. Of a list the parts
 * that name none stay; of `either` the first sentence that names none is told.
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
  const useless = new Set(
    tools.filter((tool) => !isUseful(tool)).map(({ definition }) => definition.name as string),
  );
  const isTold = (text: string): boolean => (text.match(/\w+/g) ?? []).every((word) => !useless.has(word));
  const told = (sentence: Sentence): string[] => {
    if (typeof sentence === "string") return isTold(sentence) ? [sentence] : [];
    if ("either" in sentence) return [sentence.either.find(isTold) ?? []].flat();
    const list = sentence.list.filter(isTold);
    return list.length > 0 ? [`${sentence.of}: ${list.join(", ")}.`] : [];
  };
  return lines
    .map((line) => line.flatMap(told).join(" "))
    .filter((line) => line !== "")
    .join("\n");
}

/**
 * Which tools are of use to whoever begins an exchange: those it is offered, but for what its plan leaves empty.
 * Where only a service elsewhere could tell who that is, the ones that narrowing leaves.
 */
export async function usefulTo(exchange: Exchange): Promise<(tool: Tool<Outline>) => boolean> {
  const { backend, guarded, narrowing, requestId } = exchange;
  const asker = guarded ? await askerOf(exchange) : await backend.knownAsker(requestId);
  return (tool) => isOffered(tool, narrowing) && (asker === null || isFor(tool, asker));
}

const isFor = ({ view: { endpoint, needs } }: Tool<Outline>, asker: Asker): boolean =>
  mayCall(endpoint, asker) && (needs === undefined || asker.includes(needs));
