import { isRead, type Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { leanInput, leanOutput, type LeanSchema } from "./lean-schema.ts";
import { chartOf, type Attachment } from "../result/attachment.ts";
import { briefSchema } from "../result/brief-rows.ts";
import type { Drawing } from "../result/chart/drawing.ts";
import { asksOf, type AsksFirst, type Confirmation } from "../consent/confirmation.ts";
import { longestHead, type Heads } from "../result/preview.ts";
import type { Toolset } from "./toolset.ts";
import { viewOf } from "../result/view-of.ts";
import type { View, ViewWords } from "../result/view.ts";

export interface ToolWords extends ViewWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the name and type of an argument leave open, by its name. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly toolset: Toolset;
  /** Further toolsets that cannot do without it: it lists the ids that their tools take. */
  readonly alsoIn?: readonly Toolset[];
  /** What its answers can be drawn as, where they can: the tool then takes `chart`, which no endpoint has. */
  readonly draws?: Drawing;
  /** Lists it shows the head of, where they can be long: the tool then takes `top`, which no endpoint has. */
  readonly heads?: Heads;
  /** When the caller's person is asked before the call is made: once, for all that apply. */
  readonly confirms?: readonly Confirmation[];
}

/** A tool as `tools/list` tells it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: LeanSchema;
  /** Left out where an answer may come with an image: then nothing structured comes, which an SDK's client refuses. */
  readonly outputSchema?: LeanSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface Tool<E extends Outline = Endpoint> {
  readonly view: View<E>;
  readonly toolsets: readonly Toolset[];
  readonly attaches: Attachment | null;
  readonly heads: Heads | null;
  readonly asksFirst: AsksFirst | null;
  readonly definition: ToolDefinition;
}

/** An endpoint in the words a model reads; everything else follows from the endpoint. */
export function tool(endpoint: Endpoint, words: ToolWords): Tool {
  const {
    name,
    title,
    description,
    arguments: described = {},
    toolset,
    alsoIn = [],
    draws,
    heads = null,
    confirms = [],
    ...shown
  } = words;
  const asksFirst = asksOf(confirms);
  const attaches = draws === undefined ? null : chartOf(draws);
  const view = viewOf(endpoint, shown);
  const definition: ToolDefinition = {
    name,
    title,
    description,
    inputSchema: leanInput(
      view,
      {
        ...(attaches?.argument && { [attaches.argument]: { type: "boolean" } }),
        ...(heads !== null && { top: { type: "integer", minimum: 1, maximum: longestHead } }),
      },
      described,
    ),
    ...(attaches === null && {
      outputSchema: shown.brief ? briefSchema(leanOutput(endpoint), shown.brief) : leanOutput(endpoint),
    }),
    annotations: {
      readOnlyHint: isRead(endpoint),
      // A PATCH or PUT takes the place of what was there; a POST adds.
      destructiveHint: endpoint.method === "PATCH" || endpoint.method === "PUT",
      idempotentHint: endpoint.idempotent,
      // Text that others wrote comes from outside, whoever stores it.
      openWorldHint: view.thirdParty.paths.length > 0,
    },
  };
  return {
    view,
    toolsets: [toolset, ...alsoIn],
    attaches,
    heads,
    asksFirst,
    definition: deepFreeze(definition),
  };
}

/** One definition serves every caller: nothing may change it after the start. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
