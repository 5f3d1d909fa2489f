import type { OperationDetails, Reference, Schema } from "./library.ts";
import type { OperationRoute } from "./operation.tsx";
import { fieldsOf } from "./schema-fields.ts";
import { capitalised } from "../../words/capitalised.ts";

/** The endpoints of one resource. */
export interface ApiResource {
  /** In the address: `alert-rules`. */
  readonly id: string;
  /** As a heading: `Alert rules`. */
  readonly title: string;
  readonly routes: readonly OperationRoute[];
}

/**
 * A route below an identifier (`/servers/{id}/alert-rules`) has a page with the others of that name, and of its own if
 * it reads; else it belongs to the first part of its path.
 */
export function resourcesOf({ prefix, document }: Reference): ApiResource[] {
  const paths = Object.keys(document.paths);
  const sizes = new Map<string, number>();
  for (const path of paths) sizes.set(innerOf(path), (sizes.get(innerOf(path)) ?? 0) + 1);
  const idOf = (path: string): string =>
    (sizes.get(innerOf(path)) ?? 0) > 1 || "get" in (document.paths[path] ?? {})
      ? innerOf(path)
      : outerOf(path);
  const byId = new Map<string, OperationRoute[]>();
  for (const path of paths) {
    const id = idOf(path);
    const routes = byId.get(id) ?? [];
    byId.set(id, routes);
    for (const [method, operation] of Object.entries(document.paths[path] ?? {}))
      routes.push({ method: method.toUpperCase(), path: prefix + path, operation });
  }
  return [...byId].map(([id, routes]) => ({ id, title: capitalised(id.replaceAll("-", " ")), routes }));
}

const outerOf = (path: string): string => path.split("/")[1] ?? "";

const innerOf = (path: string): string => /^\/[^/]+\/\{\w+\}\/([\w-]+)/.exec(path)?.[1] ?? outerOf(path);

/** Routes that contain every word; ignores case, and leaves out resources without such a route. */
export function searchRoutes(resources: readonly ApiResource[], search: string): ApiResource[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...resources];
  return resources
    .map((resource) => ({
      ...resource,
      routes: resource.routes.filter((route) => {
        const text = textOf(route);
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ routes }) => routes.length > 0);
}

function textOf({ method, path, operation }: OperationRoute): string {
  const { parameters = [], requestBody, responses } = operation.details();
  return [
    method,
    path,
    operation.summary,
    operation["x-required-scope"] ?? "",
    ...parameters.map(({ name }) => name),
    ...[requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
      .map((content) => content?.["application/json"]?.schema)
      .filter((schema): schema is Schema => schema !== undefined)
      .flatMap((schema) => fieldsOf(schema).map(({ path: field }) => field)),
    ...errorsOf(responses),
  ]
    .join("\n")
    .toLowerCase();
}

const errorsOf = (responses: OperationDetails["responses"]): string[] =>
  Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) >= 400 ? [description] : [],
  );
