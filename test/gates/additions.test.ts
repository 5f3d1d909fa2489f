import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import {
  additions,
  documentedMembers,
  documentedParameters,
  openMembers,
} from "../fixtures/documented-api.ts";
import { sharedFile } from "../support/shared-data.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly "x-tickmark-addition"?: true | readonly string[];
}

interface Operation {
  readonly parameters?: readonly {
    $ref?: string;
    name?: string;
    in?: string;
    "x-tickmark-addition"?: true;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly "x-tickmark-addition"?: true;
  readonly responses: unknown;
}

const { paths, components } = openApiDocument(
  { title: "", description: "", version: "1", serverUrl: "https://t.example" },
  apiEndpoints,
) as unknown as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { name: string; in: string }> };
};

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? "";
const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {});

/** The members below a schema, through lists, null and references. */
function membersOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { properties, items, anyOf = [] } = resolved(schema);
  if (properties) return properties;
  if (items) return membersOf(items);
  return Object.assign({}, ...anyOf.map(membersOf)) as Record<string, Schema>;
}

interface Shown {
  readonly members: string[];
  readonly marked: string[];
}

/** Every path below a schema; what is marked ends one, and so does what the documentation leaves open. */
function pathsBelow(name: string, schema: Schema, above = ""): Shown {
  const shown: Shown = { members: [], marked: [] };
  for (const [member, of] of Object.entries(membersOf(schema))) {
    const path = above === "" ? member : `${above}.${member}`;
    if (of["x-tickmark-addition"] === true) {
      shown.marked.push(path);
      continue;
    }
    shown.members.push(path);
    if (openMembers.includes(`${name} ${path}`)) continue;
    const inner = pathsBelow(name, of, path);
    shown.members.push(...inner.members);
    shown.marked.push(...inner.marked);
  }
  return shown;
}

/** `a b{c d}` as `a`, `b`, `b.c`, `b.d`. */
function written(text: string): string[] {
  const found: string[] = [];
  const above: string[] = [];
  for (const [token] of text.matchAll(/\w+|[{}]/g)) {
    if (token === "{") above.push(found.at(-1) ?? "");
    else if (token === "}") above.pop();
    else found.push(above.length === 0 ? token : `${above.at(-1)}.${token}`);
  }
  return found;
}

const schemaOf = (name: string): Schema => components.schemas[name] ?? {};

it.each(Object.entries(documentedMembers))(
  "[OUR-HTTP-130] %s has the documented members, and marks every other one",
  (name, text) => {
    const expected = written(text).filter(
      (path) => !openMembers.some((open) => `${name} ${path}`.startsWith(`${open}.`)),
    );
    expect(pathsBelow(name, schemaOf(name)).members.toSorted()).toEqual(expected.toSorted());
  },
);

const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    operation["x-tickmark-addition"] === true
      ? []
      : [{ route: `${method.toUpperCase()} ${path}`, operation }],
  ),
);

/** Parameters of the query and fields of the body, by whether they are marked. */
function inputsOf({ parameters = [], requestBody }: Operation): Shown {
  const shown: Shown = { members: [], marked: [] };
  const add = (name: string, isMarked: boolean) => (isMarked ? shown.marked : shown.members).push(name);
  for (const parameter of parameters) {
    const of = parameter.$ref === undefined ? parameter : components.parameters[nameOf(parameter.$ref)];
    if (of?.in === "query") add(of.name ?? "", "x-tickmark-addition" in of);
  }
  const body = requestBody?.content["application/json"]?.schema;
  for (const [name, of] of Object.entries(body ? membersOf(body) : {}))
    add(name, of["x-tickmark-addition"] === true);
  return shown;
}

it("[OUR-HTTP-130] every documented route takes the documented parameters and fields, and marks every other one", () => {
  const taken = documented.map(({ route, operation }) => [route, inputsOf(operation).members.toSorted()]);
  const expected = Object.entries(documentedParameters).map(([route, text]) => [
    route,
    written(text).toSorted(),
  ]);
  expect(Object.fromEntries(taken)).toEqual(Object.fromEntries(expected));
});

/** Marks in a schema itself; what it references has its own. */
function marksIn(schema: Schema, path: string): string[] {
  const { properties = {}, items, anyOf = [] } = schema;
  const inner = Object.entries(properties).flatMap(([name, of]) => {
    const at = `${path}.${name}`;
    const mark = of["x-tickmark-addition"];
    if (mark === true) return [at];
    return (mark ?? []).map((value) => `${at}: ${value}`).concat(marksIn(of, at));
  });
  const values = anyOf.flatMap((option) =>
    (option["x-tickmark-addition"] === true ? [] : (option["x-tickmark-addition"] ?? [])).map(
      (value) => `${path}: ${value}`,
    ),
  );
  return [
    ...inner,
    ...values,
    ...(items ? marksIn(items, path) : []),
    ...anyOf.flatMap((of) => marksIn(of, path)),
  ];
}

it("[OUR-HTTP-130] the additions to documented objects and routes are a closed list", () => {
  const inSchemas = Object.entries(components.schemas).flatMap(([name, schema]) =>
    name.endsWith("Request") ? [] : marksIn(schema, name),
  );
  const inRoutes = documented.flatMap(({ route, operation }) =>
    inputsOf(operation).marked.map((name) => `${route} ${name}`),
  );
  const kept = inSchemas.filter((mark) => !mark.startsWith("MaintenanceStartResult."));
  expect([...kept, ...inRoutes].toSorted()).toEqual(additions.toSorted());
});

const pages = ["spec/part-a.md", "spec/part-b.md"].map(sharedFile);

it.skipIf(pages.includes(null))("the reviewed list has only names of the documentation", () => {
  const text = pages.map((page) => readFileSync(page ?? "", "utf8")).join("\n");
  const known = new Set(text.match(/\w+/g));
  const names = [...Object.values(documentedMembers), ...Object.values(documentedParameters)]
    .flatMap((each) => each.match(/\w+/g) ?? [])
    // Left open by the documentation, and named by us.
    .filter((name) => name !== "generated_at" && name !== "open_alerts");
  expect([...new Set(names)].filter((name) => !known.has(name))).toEqual([]);
});
