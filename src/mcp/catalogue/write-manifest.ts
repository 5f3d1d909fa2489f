import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { TextLocation } from "../../core/text/escape-plan.ts";
import { escapePlanOf } from "../../core/text/text-locations.ts";
import type { Catalogue } from "./catalogue.ts";
import type { AsksFirst, Confirmation } from "../consent/confirmation.ts";
import type {
  Manifest,
  ManifestEndpoint,
  ManifestTextLocation,
  ManifestSuggestions,
  ManifestView,
} from "./manifest.ts";
import type { Suggestions } from "./suggestions.ts";
import type { View } from "../result/view.ts";

/** The catalogue without guides and words, as JSON holds it: `thaw` makes of it one that answers alike. */
export function writeManifest(
  { tools, resources, prompts }: Omit<Catalogue, "guides" | "wording">,
  rest: Pick<Manifest, "version" | "features">,
): Manifest {
  const shown = [...tools, ...resources].map(({ view }) => view.endpoint);
  const suggesting = [...resources, ...prompts].flatMap(({ suggests }) =>
    Object.values(suggests).map(({ endpoint }) => endpoint),
  );
  const called = prompts.flatMap(({ endpoints }) => endpoints);
  const endpoints = [...shown, ...suggesting, ...called].map(
    (endpoint) => [endpoint.id, frozenEndpoint(endpoint)] as const,
  );
  return {
    ...rest,
    endpoints: Object.fromEntries(endpoints),
    tools: tools.map(({ view, toolsets, attaches, heads, asksFirst, definition }) => ({
      view: frozenView(view),
      toolsets,
      draws: attaches?.drawing ?? null,
      heads,
      confirms: asksFirst ? asData(asksFirst, definition.name) : [],
      definition,
    })),
    resources: resources.map(({ view, isTemplate, definition, ttlMs, suggests, news }) => ({
      view: frozenView(view),
      isTemplate,
      definition,
      ttlMs,
      news,
      suggests: frozenSuggestions(suggests),
    })),
    prompts: prompts.map(({ definition, suggests, endpoints: needed }) => ({
      definition,
      suggests: frozenSuggestions(suggests),
      endpoints: needed.map(({ id }) => id),
    })),
  };
}

function frozenEndpoint(endpoint: Endpoint): ManifestEndpoint {
  const { id, method, path, params, access, bodyFields, fields, output } = endpoint;
  const { root, paths } = escapePlanOf(output);
  return {
    outline: {
      id,
      method,
      path,
      params,
      access,
      bodyFields,
      fields: [...fields.values()].map(({ name, place, json, resource, isInstant }) => ({
        name,
        place,
        isInstant,
        resource: resource && { form: resource.form },
        json: json.type === undefined ? {} : { type: json.type },
      })),
    },
    paths,
    root: root ? frozenSpot(root) : null,
  };
}

function frozenSpot({
  cap,
  inRow,
  isText,
  json,
  items,
  members,
  keys,
  fields,
}: TextLocation): ManifestTextLocation {
  const named = [...fields].map(([name, spot]) => [name, frozenSpot(spot)] as const);
  return {
    cap,
    inRow,
    isText,
    json,
    ...(items && { items: frozenSpot(items) }),
    ...(members && { members: frozenSpot(members) }),
    ...(keys && { keys: frozenSpot(keys) }),
    ...(named.length > 0 && { fields: Object.fromEntries(named) }),
  };
}

/** What asks in a way of its own is no data, and would ask nothing over stdio. */
function asData({ confirmations }: AsksFirst, name: string): readonly Confirmation[] {
  if (confirmations.length === 0) throw new TypeError(`${name} asks in a way that cannot be written down.`);
  return confirmations;
}

const frozenView = ({ endpoint, thirdParty: _plan, ...view }: View): ManifestView => ({
  ...view,
  endpoint: endpoint.id,
});

const frozenSuggestions = (suggests: Readonly<Record<string, Suggestions>>): ManifestSuggestions =>
  Object.fromEntries(
    Object.entries(suggests).map(([name, { endpoint, ...rest }]) => [
      name,
      { ...rest, endpoint: endpoint.id },
    ]),
  );
