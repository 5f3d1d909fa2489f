import type { Outline } from "../../contract/endpoint/outline.ts";
import { closedLocation } from "../../core/text/closed-locations.ts";
import { escapePlanFrom, type TextLocation, type EscapePlan } from "../../core/text/escape-plan.ts";
import { chartOf } from "../result/attachment.ts";
import { briefPlan } from "../result/brief-rows.ts";
import type { Catalogue } from "./catalogue.ts";
import { asksOf } from "../consent/confirmation.ts";
import type {
  Manifest,
  ManifestEndpoint,
  ManifestTextLocation,
  ManifestSuggestions,
  ManifestView,
} from "./manifest.ts";
import type { Prompt } from "./prompt.ts";
import type { Suggestions } from "./suggestions.ts";
import { filledIn, segmentsOf } from "./uri-template.ts";
import type { View } from "../result/view.ts";

interface Known {
  readonly outline: Outline;
  readonly thirdParty: EscapePlan;
}

/** `prompts` loads the prompts' texts, which are code, when a prompt is requested. */
export function loadManifest(
  manifest: Manifest,
  {
    guides,
    wording,
    prompts,
  }: Pick<Catalogue, "guides" | "wording"> & { prompts(): Promise<readonly Prompt[]> },
): Catalogue<Outline> {
  const endpoints = new Map(
    Object.entries(manifest.endpoints).map(([id, endpoint]) => [id, knownOf(endpoint)]),
  );
  const known = (id: string): Known => {
    const found = endpoints.get(id);
    if (!found) throw new TypeError(`The manifest lacks ${id}.`);
    return found;
  };
  const viewOf = ({ endpoint: id, ...rest }: ManifestView): View<Outline> => {
    const { outline, thirdParty } = known(id);
    return {
      ...rest,
      endpoint: outline,
      thirdParty: rest.brief ? briefPlan(thirdParty, rest.brief) : thirdParty,
    };
  };
  const suggestionsOf = (suggests: ManifestSuggestions): Readonly<Record<string, Suggestions<Outline>>> =>
    Object.fromEntries(
      Object.entries(suggests).map(([name, { endpoint: id, ...rest }]) => [
        name,
        { ...rest, endpoint: known(id).outline },
      ]),
    );
  return {
    guides,
    wording,
    tools: manifest.tools.map(({ view, draws, previews, confirms, toolsets, definition }) => ({
      name: definition.name,
      toolsets,
      previews,
      definition,
      view: viewOf(view),
      attaches: draws && chartOf(draws),
      asksFirst: asksOf(confirms),
    })),
    resources: manifest.resources.map(({ view, suggests, definition, isTemplate, ttlMs, watchedFields }) => {
      const segments = segmentsOf(definition["uriTemplate"] ?? definition["uri"] ?? "");
      return {
        definition,
        isTemplate,
        ttlMs,
        watchedFields,
        view: viewOf(view),
        suggests: suggestionsOf(suggests),
        match: (uri: string) => filledIn(segments, uri),
      };
    }),
    prompts: manifest.prompts.map(({ definition, suggests, endpoints: needed }, at) => ({
      definition,
      suggests: suggestionsOf(suggests),
      endpoints: needed.map((id) => known(id).outline),
      messages: async (filled) => (await prompts())[at]?.messages(filled) ?? [],
    })),
  };
}

function knownOf({ outline, paths, root }: ManifestEndpoint): Known {
  const fields = new Map(outline.fields.map((field) => [field.name, field]));
  const declared = (): TextLocation | undefined => (root ? spotOf(root) : undefined);
  // The plan is made on first use. The service checks every input again: this copy is not trusted.
  let plan: EscapePlan | null = null;
  return {
    outline: { ...outline, fields },
    thirdParty: {
      paths,
      get root() {
        return declared();
      },
      apply: (value, caps) => (plan ??= escapePlanFrom(closedLocation(declared()), paths)).apply(value, caps),
    },
  };
}

const spotOf = ({
  cap,
  inRow,
  isText,
  json,
  items,
  members,
  keys,
  fields = {},
}: ManifestTextLocation): TextLocation => ({
  cap,
  inRow,
  isText,
  json,
  items: items && spotOf(items),
  members: members && spotOf(members),
  keys: keys && spotOf(keys),
  fields: new Map(Object.entries(fields).map(([name, spot]) => [name, spotOf(spot)])),
});
