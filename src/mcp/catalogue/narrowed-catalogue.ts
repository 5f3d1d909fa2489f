import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "./catalogue.ts";
import { isOffered, type Narrowing } from "./narrowing.ts";
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

/** Leaves out a prompt if one of its tools is left out: it would lead to an unknown tool. */
function narrow(catalogue: Catalogue<Outline>, narrowing: Narrowing): Catalogue<Outline> {
  const tools = catalogue.tools.filter((tool) => isOffered(tool, narrowing));
  const callable = new Set(tools.map(({ view }) => view.endpoint.id));
  const prompts = catalogue.prompts.filter(({ endpoints }) => endpoints.every(({ id }) => callable.has(id)));
  const { server } = narrowing;
  if (server === null) return { ...catalogue, tools, prompts };
  return {
    ...catalogue,
    tools: tools.map(withoutServer),
    resources: catalogue.resources.filter(({ view }) => isInServerScope(view.endpoint)),
    prompts: prompts.map((prompt) => aboutServer(prompt, server)),
  };
}
