import { additionMark } from "../../core/addition.ts";
import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Field } from "../../contract/endpoint/field.ts";
import { accepts, type JsonSchema } from "../../contract/endpoint/json-schema.ts";
import { failures, rateHeaderRefs, takesNone } from "./responses.ts";

type Json = Record<string, unknown>;

const operationId = ({ id }: Endpoint): string =>
  id.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The id as a type name, such as `ServersStatus`. */
export const pascalName = (endpoint: Endpoint): string => {
  const name = operationId(endpoint);
  return name.slice(0, 1).toUpperCase() + name.slice(1);
};

/** `answer` references the schema of the answer. */
export function operation(endpoint: Endpoint, answer: Json, shared: SharedParameters): Json {
  const { access } = endpoint;
  const parameters = parameterFields(endpoint).map(
    (field) => shared.referenceTo(field) ?? parameter(field, inputExample(endpoint)[field.name]),
  );
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    ...(endpoint.isAddition && { [additionMark]: true }),
    ...(access.face === "api" && access.scope !== null && { "x-required-scope": access.scope }),
    ...(access.face === "api" && access.plan !== undefined && { "x-required-plan-feature": access.plan }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters: [...parameters, ...idempotencyHeader(endpoint)] }),
    ...(parameters.length === 0 && endpoint.replayable && { parameters: idempotencyHeader(endpoint) }),
    ...(endpoint.bodyFields.length > 0 && { requestBody: requestBody(endpoint) }),
    responses: { ...successes(endpoint, answer), ...failures(endpoint) },
  };
}

function securityOf({ access }: Endpoint): Json[] {
  if (access.face !== "api") return takesNone(access) ? [] : [{ bearer: [] }];
  return access.anonymous === true ? [{}, { bearer: [] }] : [{ bearer: [] }];
}

const idempotencyHeader = ({ replayable }: Endpoint): Json[] =>
  replayable
    ? [{ name: "Idempotency-Key", in: "header", schema: { type: "string", minLength: 1, maxLength: 128 } }]
    : [];

const inputExample = ({ example }: Endpoint): Json => example.input as Json;

const parameterFields = ({ fields }: Endpoint): Field[] =>
  [...fields.values()].filter(({ place }) => place !== "body");

/** Parameters that several endpoints share, by name; others stay at their endpoint, with an example. */
export interface SharedParameters {
  readonly components: Json;
  referenceTo(field: Field): Json | null;
}

/** Of each parameter name, the most frequent form is shared if at least two endpoints use it. */
export function sharedParameters(endpoints: readonly Endpoint[]): SharedParameters {
  const forms = new Map<string, Map<string, number>>();
  for (const field of endpoints.flatMap(parameterFields)) {
    const form = JSON.stringify(parameter(field));
    const counts = forms.get(field.name) ?? new Map<string, number>();
    forms.set(field.name, counts.set(form, (counts.get(form) ?? 0) + 1));
  }
  const names = new Map<string, string>();
  for (const [name, counts] of forms) {
    const [form, count] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? ["", 0];
    if (count > 1)
      names.set(
        form,
        name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
      );
  }
  return {
    components: Object.fromEntries([...names].map(([form, name]) => [name, JSON.parse(form) as Json])),
    referenceTo: (field) => {
      const name = names.get(JSON.stringify(parameter(field)));
      return name === undefined ? null : { $ref: `#/components/parameters/${name}` };
    },
  };
}

function parameter({ name, place, placeholder, schema, json, required }: Field, example?: unknown): Json {
  return {
    name: placeholder ?? name,
    in: place,
    ...((place === "path" || required) && { required: true }),
    description: `Takes ${accepts(schema)}.`,
    schema: json,
    ...(json[additionMark] === true && { [additionMark]: true }),
    ...(json.type === "array" && { style: "form", explode: false }),
    ...(example !== undefined && { example }),
  };
}

const bodyFieldsOf = (endpoint: Endpoint): Field[] =>
  [...endpoint.fields.values()].filter(({ place }) => place === "body");

/** Null for a request without body. If one field is the whole body, the schema is that field's. */
export function bodySchema(endpoint: Endpoint): Json | null {
  if (endpoint.bodyFields.length === 0) return null;
  const fields = bodyFieldsOf(endpoint);
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    fields.map(({ name, json }) => [name, json]),
  );
  const { wholeBody } = endpoint;
  if (wholeBody !== null) {
    const field = properties[wholeBody.name] ?? {};
    return wholeBody.isList ? { oneOf: [field.items ?? {}, field] } : { ...field };
  }
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(endpoint.access.face === "api" && { additionalProperties: false }),
    ...(endpoint.method === "PATCH" && { minProperties: 1 }),
  };
}

function requestBody(endpoint: Endpoint): Json {
  const names = new Set(bodyFieldsOf(endpoint).map(({ name }) => name));
  const given = inputExample(endpoint);
  const { wholeBody, files } = endpoint;
  const example =
    wholeBody === null
      ? Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
      : given[wholeBody.name];
  const schema = { $ref: `#/components/schemas/${pascalName(endpoint)}Request` };
  const types = (files?.types ?? []).map((type) => [type, {}]);
  return {
    required: true,
    content: { "application/json": { schema, example }, ...Object.fromEntries(types) },
  };
}

function successes(endpoint: Endpoint, schema: Json): Json {
  const content = { "application/json": { schema, example: endpoint.example.output } };
  const headers = endpoint.access.face === "api" ? rateHeaderRefs : {};
  const { success } = endpoint;
  const words = success.length > 1 ? { ...successWords, 200: "It existed already." } : successWords;
  return Object.fromEntries(
    success.map((status) => [
      status,
      { description: words[status] ?? "Done.", headers, ...(status !== 204 && { content }) },
    ]),
  );
}

const successWords: Record<number, string> = {
  200: "The answer.",
  201: "Made.",
  202: "Queued.",
  204: "There is nothing to do.",
};
