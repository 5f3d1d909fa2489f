import type { Reference } from "./library.ts";
import { OperationSection, type OperationRoute } from "./operation.tsx";

interface Section {
  readonly name: string;
  readonly id: string;
  readonly routes: readonly OperationRoute[];
}

/** The routes of a group by the first part of their path, in the order of the document. */
export function sectionsOf({ prefix, document }: Reference): Section[] {
  const byName = new Map<string, OperationRoute[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    const name = (path.split("/")[1] ?? "").replaceAll("-", " ");
    const routes = byName.get(name) ?? [];
    byName.set(name, routes);
    for (const [method, operation] of Object.entries(methods))
      routes.push({ method: method.toUpperCase(), path: prefix + path, operation });
  }
  return [...byName].map(([name, routes]) => ({ name, id: `on-${name.replaceAll(" ", "-")}`, routes }));
}

/** One page with every endpoint of a group. */
export function ReferenceBody({ reference }: { reference: Reference }) {
  const sections = sectionsOf(reference);
  const { info } = reference.document;
  return (
    <div class="document">
      <Contents sections={sections} />
      <div class="stack">
        <h1>{info.title}</h1>
        <p>{info.description}</p>
        <p class="small quiet">
          Version {info.version}. For programs:{" "}
          <a href={`${reference.prefix}/openapi.json`}>the same as OpenAPI 3.1</a>.
        </p>
        {sections.map(({ name, id, routes }) => (
          <section key={id} class="stack">
            <h2 id={id}>{capital(name)}</h2>
            {routes.map((route) => (
              <OperationSection key={route.operation.operationId} {...route} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function Contents({ sections }: { sections: readonly Section[] }) {
  return (
    <nav class="contents" aria-label="On this page">
      {sections.map(({ name, id, routes }) => (
        <div key={id}>
          <a href={`#${id}`}>
            <strong>{capital(name)}</strong>
          </a>
          <ul>
            {routes.map(({ method, path, operation }) => (
              <li key={operation.operationId}>
                <a href={`#${operation.operationId}`} title={operation.summary}>
                  <span class="method">{method}</span> {path.split("/").slice(3).join("/")}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
