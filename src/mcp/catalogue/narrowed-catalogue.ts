import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "./catalogue.ts";
import { isOffered, type Narrowing } from "./narrowing.ts";
import type { Tool } from "./tool.ts";
import { aboutServer, isInServerScope, withoutServer } from "./server-scope.ts";

const made = new WeakMap<Catalogue<Outline>, WeakMap<Narrowing, Catalogue<Outline>>>();

export function narrowedCatalogue(catalogue: Catalogue<Outline>, narrowing: Narrowing): Catalogue<Outline> {
  const ofCatalogue = made.get(catalogue) ?? new WeakMap<Narrowing, Catalogue<Outline>>();
  const known = ofCatalogue.get(narrowing);
  if (known) return known;
  const narrowed = narrow(catalogue, narrowing);
  made.set(catalogue, ofCatalogue.set(narrowing, narrowed));
  return narrowed;
}

const isForSmallContexts = ({ toolsets, tools }: Narrowing): boolean =>
  tools === null && toolsets?.size === 1 && toolsets.has("essentials");

const withoutSchema = new WeakMap<Tool<Outline>, Tool<Outline>>();

/** Clients give models the schema of an answer, too, which is twice as long as all else of a tool. */
function withoutOutputSchema(tool: Tool<Outline>): Tool<Outline> {
  const known = withoutSchema.get(tool);
  if (known) return known;
  const { outputSchema: _leftOut, ...definition } = tool.definition;
  const bare = { ...tool, definition: Object.freeze(definition) };
  withoutSchema.set(tool, bare);
  return bare;
}

/** Leaves out a prompt if one of its tools is left out: it would lead to an unknown tool. */
function narrow(catalogue: Catalogue<Outline>, narrowing: Narrowing): Catalogue<Outline> {
  const tools = catalogue.tools.filter((tool) => isOffered(tool, narrowing));
  const callable = new Set(tools.map(({ view }) => view.endpoint.id));
  const prompts = catalogue.prompts.filter(({ endpoints }) => endpoints.every(({ id }) => callable.has(id)));
  const { server } = narrowing;
  const listed = isForSmallContexts(narrowing) ? tools.map(withoutOutputSchema) : tools;
  if (server === null) return { ...catalogue, tools: listed, prompts };
  return {
    ...catalogue,
    tools: listed.map(withoutServer),
    resources: catalogue.resources.filter(({ view }) => isInServerScope(view.endpoint)),
    prompts: prompts.map((prompt) => aboutServer(prompt, server)),
  };
}
