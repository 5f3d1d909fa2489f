import type { z } from "zod";
import { notFound, Refusal } from "../../core/errors.ts";
import { canBeId } from "../../core/id-form.ts";
import { nameHints } from "../../core/name-hints.ts";
import type { Upload } from "../files/document-tasks.ts";
import type { Action } from "./action.ts";
import { echoed } from "./echoed-name.ts";
import { isRead, type Endpoint } from "./endpoint.ts";
import type { IdField } from "./field.ts";
import { isJsonObject } from "./json-body.ts";
import { accepts, schemaAt, schemaOfEntries } from "./json-schema.ts";

/** Reads a flat input by the endpoint's schema. Unknown names are refused before wrong values. */
export function readInput(endpoint: Endpoint, flat: Record<string, unknown>): Record<string, unknown> {
  if (endpoint.access.face === "api") refuseUnknownNames(endpoint, Object.keys(flat));
  const { wholeBody } = endpoint;
  if (endpoint.files && wholeBody) return besideDocument(endpoint, wholeBody.name, flat);
  const parsed = parsedBy(endpoint, flat);
  if ("issues" in parsed) throw refusalOf(endpoint, parsed, flat);
  if (endpoint.method === "PATCH" && endpoint.bodyFields.every((name) => !(name in parsed.data))) {
    throw new Refusal(
      "validation_error",
      `Nothing to change was sent. Send at least one of ${endpoint.bodyFields.join(", ")}.`,
      {
        allowed_fields: endpoint.bodyFields,
      },
    );
  }
  return parsed.data;
}

/** Reads a person's input by the action's schema; a file was checked when it was read. */
export function readActionInput(action: Action, flat: Record<string, unknown>): Record<string, unknown> {
  const { [action.file?.field ?? ""]: file, ...fields } = flat;
  const parsed = action.besideFile.safeParse(fields);
  if (!parsed.success) throw namedRefusal(action, parsed.error.issues, fields);
  return action.file === null ? parsed.data : { ...parsed.data, [action.file.field]: file };
}

interface InputForm {
  readonly input: z.ZodObject;
  readonly wholeBody: Endpoint["wholeBody"];
}

interface Wrong {
  readonly issues: readonly z.core.$ZodIssue[];
  /** Whether the only item of a list was sent without brackets. */
  readonly single: boolean;
}

function parsedBy(
  { input, wholeBody }: InputForm,
  flat: Record<string, unknown>,
): { readonly data: Record<string, unknown> } | Wrong {
  const single = wholeBody?.isList === true && isJsonObject(flat[wholeBody.name]);
  const parsed = input.safeParse(single ? asList(wholeBody.name, flat) : flat);
  return parsed.success ? parsed : { issues: parsed.error.issues, single };
}

/** As `readInput`, for a body that a worker thread reads. */
export function readPluginInput(form: InputForm, flat: Record<string, unknown>): Record<string, unknown> {
  const parsed = parsedBy(form, flat);
  if ("issues" in parsed) throw pluginRefusal(form, parsed);
  return parsed.data;
}

/** Reads the rest of an input whose document was checked when it was read. */
function besideDocument(
  endpoint: Endpoint,
  name: string,
  { [name]: document, ...rest }: Record<string, unknown>,
): Record<string, unknown> {
  const parsed = endpoint.besideDocument.safeParse(rest);
  if (!parsed.success) throw refusalOf(endpoint, { issues: parsed.error.issues, single: false }, rest);
  return { ...parsed.data, [name]: document };
}

const asList = (name: string, flat: Record<string, unknown>): Record<string, unknown> => ({
  ...flat,
  [name]: [flat[name]],
});

/** Unknown names are refused, not dropped: a misspelt filter would otherwise answer another question. */
export function refuseUnknownNames(endpoint: Endpoint, names: readonly string[]): void {
  const unknown = names.find((name) => !endpoint.fields.has(name));
  if (unknown === undefined) return;
  throw isRead(endpoint) ? unknownParameter(endpoint, unknown) : fieldNotAllowed(endpoint, unknown);
}

export function fieldNotAllowed(endpoint: Endpoint, name: string): Refusal {
  const allowed = endpoint.bodyFields;
  const takes =
    allowed.length === 0 ? "This route takes no body fields." : `This route takes ${allowed.join(", ")}.`;
  return new Refusal("field_not_allowed", `${named(name)} is not a field of this route. ${takes}`, {
    allowed_fields: allowed,
  });
}

export function unknownParameter(endpoint: Endpoint, name: string): Refusal {
  const known = [...endpoint.fields.values()]
    .filter((field) => field.place === "query")
    .map((field) => field.name);
  const takes =
    known.length === 0 ? "This route takes no parameters." : `This route takes ${known.join(", ")}.`;
  const details: Record<string, string> = echoed(name) === null ? {} : { field: name };
  return new Refusal(
    "validation_error",
    `${named(name)} is not a parameter of this route. ${takes}`,
    details,
  );
}

const named = (name: string): string => echoed(name) ?? "One of the names sent";

export const invalidField = ({ input }: Pick<Endpoint, "input">, name: string, sent?: unknown): Refusal => {
  const schema = input.shape[name] as z.ZodType | undefined;
  if (schema === undefined) return takesOnly(name, "nothing");
  return takesOnly(name, accepts(schema), hintOn(schema, sent));
};

/** A sentence on the first name that is none of the schema's; null if there is nothing to say. */
function hintOn(schema: z.ZodType, sent: unknown): string | null {
  const named = schemaOfEntries(schema);
  const hint = nameHints.get(named);
  const names: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  const wrong = names.find((name) => typeof name === "string" && !named.safeParse(name).success);
  return hint !== undefined && typeof wrong === "string" && echoed(wrong) !== null
    ? hint.hintFor(wrong)
    : null;
}

/** A refusal by field name, for callers of the API and people. */
const namedRefusal = (
  form: Pick<Endpoint, "input">,
  [issue]: readonly z.core.$ZodIssue[],
  flat: Record<string, unknown>,
): Refusal => {
  const name = issue?.path[0];
  return typeof name === "string" ? invalidField(form, name, flat[name]) : wrongForm();
};

const takesOnly = (name: string, takes: string, hint: string | null = null): Refusal =>
  new Refusal("validation_error", [`${name} takes ${takes}.`, hint ?? []].flat().join(" "), { field: name });

export function documentRefusal(
  { field, pointers }: Upload,
  schema: z.ZodType,
  [issue]: readonly z.core.$ZodIssue[],
): Refusal {
  if (!issue || !pointers) return takesOnly(field, accepts(schema));
  return pointedRefusal(field, issue.path, describeIssue(schema, issue));
}

const refusalOf = (endpoint: Endpoint, wrong: Wrong, flat: Record<string, unknown>): Refusal =>
  endpoint.access.face === "api"
    ? namedRefusal(endpoint, wrong.issues, flat)
    : pluginRefusal(endpoint, wrong);

/** Plugins get a JSON Pointer to the wrong value. */
function pluginRefusal({ input, wholeBody }: InputForm, { issues, single }: Wrong): Refusal {
  const [issue] = issues;
  const [name] = issue?.path ?? [];
  if (!issue || typeof name !== "string") return wrongForm();
  // The pointer leads through the body as sent, where the whole body has no name.
  const keys = wholeBody === null ? issue.path : issue.path.slice(single ? 2 : 1);
  return pointedRefusal(name, keys, describeIssue(input, issue));
}

const wrongForm = (): Refusal =>
  new Refusal(
    "validation_error",
    "The input has the wrong form for this route. /api/v1/openapi.json describes the form.",
  );

function pointedRefusal(whole: string, keys: readonly PropertyKey[], words: string): Refusal {
  const path = keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  const field = String(keys.find((key) => typeof key === "string") ?? whole);
  return new Refusal("validation_error", `${path || "The body"}: ${words}`, { field, path });
}

/** A rule between fields has its own message; for other issues the schema says what is accepted. */
function describeIssue(schema: z.ZodType, issue: z.core.$ZodIssue): string {
  if (issue.code === "custom" && issue.message !== "Invalid input") return issue.message;
  const wrong = schemaAt(schema, issue.path);
  return wrong ? `takes ${accepts(wrong)}.` : issue.message;
}

/** The 404 for text that cannot be an id, else null. In calls with several ids it names the field. */
export function namesNothing(ids: readonly IdField[], input: Record<string, unknown>): Refusal | null {
  for (const { name, resource } of ids) {
    const value = input[name];
    if (resource && typeof value === "string" && !canBeId(value, resource.form))
      return notFound(ids.length > 1 ? { field: name } : undefined);
  }
  return null;
}
