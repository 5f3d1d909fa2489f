import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Field } from "../../contract/endpoint/field.ts";
import type { EscapePlan } from "../../core/text/escape-plan.ts";
import { escapePlanOf } from "../../core/text/text-locations.ts";
import { briefPlan } from "./brief-rows.ts";
import { hasRows, type View, type ViewWords } from "./view.ts";

const rowsByDefault = 10;

const paging = new Set(["limit", "cursor", "top"]);

/** Throws for an endpoint that is not of the API. */
export function viewOf(endpoint: Endpoint, { rows, ...words }: ViewWords): View {
  if (endpoint.access.face !== "api") throw new TypeError(`${endpoint.id} is not an endpoint of the API.`);
  const filters = [...endpoint.fields.values()].filter(
    ({ name, place }) => place === "query" && !paging.has(name) && !name.startsWith("include_"),
  );
  const { example } = endpoint;
  const { brief } = words;
  let plan: EscapePlan | undefined;
  const planned = (): EscapePlan => {
    const whole = escapePlanOf(endpoint.output);
    return brief ? briefPlan(whole, brief) : whole;
  };
  return {
    endpoint,
    // Plans are made when an answer is first shown; making all of them would slow the start.
    get thirdParty() {
      return (plan ??= planned());
    },
    isList: hasRows(example.output),
    largestLimit: endpoint.fields.get("limit")?.json.maximum ?? null,
    usualRows: rows ?? rowsByDefault,
    points: pointsOf(endpoint),
    filters: filters.map(({ name }) => name),
    times: filters.filter(({ name, isInstant }) => isInstant || name === "days").map(({ name }) => name),
    idFilters: filters.filter(({ isIdFilter }) => isIdFilter).map(({ name }) => name),
    exact: filters.filter(isFreeText).map(({ name }) => name),
    ...words,
  };
}

/** Text of a bounded length that is not an id, a choice or an instant. */
const isFreeText = ({ json }: Field): boolean =>
  json.type === "string" && json.maxLength !== undefined && json.enum === undefined;

function pointsOf({ fields }: Endpoint): View["points"] {
  const largest = fields.get("max_points")?.json.maximum;
  const usual = fields.get("fields")?.json.default;
  return largest === undefined ? null : { largest, usualFields: Array.isArray(usual) ? usual.length : 1 };
}
