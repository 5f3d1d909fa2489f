import { isRead, type Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { leanInput, leanOutput, type LeanSchema } from "./lean-schema.ts";
import { chartOf, type Attachment } from "../result/attachment.ts";
import { briefSchema } from "../result/brief-rows.ts";
import type { Drawing } from "../result/chart/drawing.ts";
import { asksOf, type AsksFirst, type Confirmation } from "../consent/confirmation.ts";
import { longestPreview, type Previews } from "../result/preview.ts";
import type { Toolset } from "./toolset.ts";
import { viewOf } from "../result/view-of.ts";
import type { View, ViewWords } from "../result/view.ts";

export interface ToolWords extends ViewWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** By argument: what its name and type do not tell. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly toolset: Toolset;
  /** Further toolsets: those whose tools take the ids that this tool lists, and `essentials`. */
  readonly alsoIn?: readonly Toolset[];
  /** How answers can be drawn: the tool then takes `chart`, which no endpoint has. */
  readonly draws?: Drawing;
  /** Long lists that are shown in part: the tool then takes `top`, which it also sends to an endpoint that has it. */
  readonly previews?: Previews;
  /** What the person must consent to before the call; one question asks for all that apply. */
  readonly confirms?: readonly Confirmation[];
}

/** The entry of a tool in `tools/list`. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: LeanSchema;
  /** Left out if an answer may have an image: it has no structured content, which SDK clients require. */
  readonly outputSchema?: LeanSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    /** These two say nothing of a tool that only reads, and are left out there. */
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface Tool<E extends Outline = Endpoint> {
  readonly name: string;
  readonly view: View<E>;
  readonly toolsets: readonly Toolset[];
  readonly attaches: Attachment | null;
  readonly previews: Previews | null;
  readonly asksFirst: AsksFirst | null;
  readonly definition: ToolDefinition;
}

/** Everything but the words follows from the endpoint. */
export function tool(endpoint: Endpoint, words: ToolWords): Tool {
  const {
    name,
    title,
    description,
    arguments: described = {},
    toolset,
    alsoIn = [],
    draws,
    previews = null,
    confirms = [],
    ...shown
  } = words;
  const asksFirst = asksOf(confirms);
  const attaches = draws === undefined ? null : chartOf(draws);
  const view = viewOf(endpoint, shown);
  const own = {
    ...(attaches?.argument && { [attaches.argument]: { type: "boolean" } }),
    ...(previews !== null && { top: { type: "integer", minimum: 1, maximum: longestPreview } }),
  };
  let definition: ToolDefinition | undefined;
  const defined = (): ToolDefinition => ({
    name,
    title,
    description,
    inputSchema: leanInput(view, own, described),
    ...(attaches === null && {
      outputSchema: shown.brief ? briefSchema(leanOutput(endpoint), shown.brief) : leanOutput(endpoint),
    }),
    annotations: {
      readOnlyHint: isRead(endpoint),
      ...(!isRead(endpoint) && {
        // PATCH and PUT replace data; POST adds data.
        destructiveHint: endpoint.method === "PATCH" || endpoint.method === "PUT",
        idempotentHint: endpoint.idempotent,
      }),
      // Third-party text comes from outside, even where the service stores it.
      openWorldHint: view.thirdParty.paths.length > 0,
    },
  });
  return {
    name,
    view,
    toolsets: [toolset, ...alsoIn],
    attaches,
    previews,
    asksFirst,
    // Schemas are made when a client first lists the tools; making all of them would slow the start.
    get definition() {
      return (definition ??= deepFreeze(defined()));
    },
  };
}

/** All callers share one definition, so it must not change. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
