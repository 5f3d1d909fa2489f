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

/** Without guides and wording. The catalogue that `loadManifest` makes of it gives the same answers. */
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
    (endpoint) => [endpoint.id, endpointManifest(endpoint)] as const,
  );
  return {
    ...rest,
    endpoints: Object.fromEntries(endpoints),
    tools: tools.map(({ view, toolsets, attaches, previews, asksFirst, definition }) => ({
      view: viewManifest(view),
      toolsets,
      draws: attaches?.drawing ?? null,
      previews,
      confirms: asksFirst ? asData(asksFirst, definition.name) : [],
      definition,
    })),
    resources: resources.map(({ view, isTemplate, definition, ttlMs, suggests, watchedFields }) => ({
      view: viewManifest(view),
      isTemplate,
      definition,
      ttlMs,
      watchedFields,
      suggests: suggestionsManifest(suggests),
    })),
    prompts: prompts.map(({ definition, suggests, endpoints: needed }) => ({
      definition,
      suggests: suggestionsManifest(suggests),
      endpoints: needed.map(({ id }) => id),
    })),
  };
}

function endpointManifest(endpoint: Endpoint): ManifestEndpoint {
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
      fields: [...fields.values()].map(({ name, place, json, resource, hasOwnNull, isInstant }) => ({
        name,
        place,
        hasOwnNull,
        isInstant,
        resource: resource && { form: resource.form },
        json: json.type === undefined ? {} : { type: json.type },
      })),
    },
    paths,
    root: root ? locationManifest(root) : null,
  };
}

function locationManifest({
  cap,
  inRow,
  isText,
  json,
  items,
  members,
  keys,
  fields,
}: TextLocation): ManifestTextLocation {
  const named = [...fields].map(([name, spot]) => [name, locationManifest(spot)] as const);
  return {
    cap,
    inRow,
    isText,
    json,
    ...(items && { items: locationManifest(items) }),
    ...(members && { members: locationManifest(members) }),
    ...(keys && { keys: locationManifest(keys) }),
    ...(named.length > 0 && { fields: Object.fromEntries(named) }),
  };
}

/** Throws for a tool that asks in code and not by data: over stdio it would not ask. */
function asData({ confirmations }: AsksFirst, name: string): readonly Confirmation[] {
  if (confirmations.length === 0) throw new TypeError(`${name} asks in a way that cannot be written down.`);
  return confirmations;
}

const viewManifest = ({ endpoint, thirdParty: _plan, ...view }: View): ManifestView => ({
  ...view,
  endpoint: endpoint.id,
});

const suggestionsManifest = (suggests: Readonly<Record<string, Suggestions>>): ManifestSuggestions =>
  Object.fromEntries(
    Object.entries(suggests).map(([name, { endpoint, ...rest }]) => [
      name,
      { ...rest, endpoint: endpoint.id },
    ]),
  );
