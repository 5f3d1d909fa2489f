import { Filters } from "../../parts/filters.tsx";
import { FormField } from "../../parts/form.tsx";
import { Contents } from "./contents.tsx";
import type { Reference } from "./library.ts";
import { OperationSection } from "./operation.tsx";
import { resourcesOf, searchRoutes, type ApiResource } from "./resources.ts";

/** The resources of a group, or those that a search finds. */
export function ReferenceIndex({ reference, search }: { reference: Reference; search: string }) {
  const all = resourcesOf(reference);
  const shown = searchRoutes(all, search);
  const { info } = reference.document;
  return (
    <div class="document">
      <Resources reference={reference} />
      <div class="stack">
        <h1>{info.title}</h1>
        <p>{info.description}</p>
        <p class="small quiet">
          Version {info.version}. For programs:{" "}
          <a href={`${reference.prefix}/openapi.json`}>the same as OpenAPI 3.1</a>.
        </p>
        <Filters label="Search routes" does="Search">
          <FormField name="search" label="Path, field, scope or error" value={search} maxLength={100} />
        </Filters>
        {search !== "" && (
          <p role="status">
            {countRoutes(shown)} of {countRoutes(all)} routes.{" "}
            <a href={`/docs/${reference.name}`}>Show all</a>
          </p>
        )}
        {shown.map((resource) => (
          <section key={resource.id}>
            <h2>
              <a class="anchor" href={addressOf(reference, resource)}>
                {resource.title}
              </a>
            </h2>
            <ul class="routes">
              {resource.routes.map(({ method, path, operation: { operationId, summary } }) => (
                <li key={operationId} id={operationId}>
                  <a href={`${addressOf(reference, resource)}#${operationId}`}>{summary}</a>
                  <span class="small quiet">
                    <code class="method">{method}</code> <code>{path}</code>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

export function ResourceBody({ reference, resource }: { reference: Reference; resource: ApiResource }) {
  return (
    <div class="document">
      <Resources reference={reference} open={resource} />
      <div class="stack">
        <h1>{resource.title}</h1>
        <p>
          <a href={`/docs/${reference.name}`}>{reference.document.info.title}</a>
        </p>
        {resource.routes.map((route) => (
          <OperationSection key={route.operation.operationId} {...route} />
        ))}
      </div>
    </div>
  );
}

/** The resources of a group, and the routes of the open one. */
function Resources({ reference, open = null }: { reference: Reference; open?: ApiResource | null }) {
  const entries = resourcesOf(reference).map((resource) => ({
    href: addressOf(reference, resource),
    title: resource.title,
    isOpen: resource.id === open?.id,
    parts: resource.routes.map(({ method, path, operation: { operationId, summary } }) => ({
      id: operationId,
      title: summary,
      text: (
        <>
          <span class="method">{method}</span> {path.split("/").slice(3).join("/")}
        </>
      ),
    })),
  }));
  return <Contents label="Resources" entries={entries} />;
}

const addressOf = ({ name }: Reference, { id }: ApiResource): string => `/docs/${name}/${id}`;

export const countRoutes = (resources: readonly ApiResource[]): number =>
  resources.reduce((sum, { routes }) => sum + routes.length, 0);
