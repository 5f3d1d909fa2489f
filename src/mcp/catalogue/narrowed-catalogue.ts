import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "./catalogue.ts";
import { isOffered, type Narrowing } from "./narrowing.ts";
import { aboutServer, isInServerScope, withoutServer } from "./server-scope.ts";

/**
 * What a narrowing leaves of all that the connector offers: whatever is looked up in it is offered. A prompt without
 * one of its tools would lead to unknown tools.
 */
export function narrowedCatalogue(catalogue: Catalogue<Outline>, narrowing: Narrowing): Catalogue<Outline> {
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
