import { Refusal } from "../../../core/errors.ts";
import { publicPage, type DashboardPage } from "../../page.ts";
import { Card } from "../../parts/state.tsx";
import { Words } from "../../parts/words.tsx";
import { Contents } from "./contents.tsx";
import type { GuideText as Guide, Library, Reference } from "./library.ts";
import { RenderedGuide } from "./guide-text.tsx";
import { readMarkdown, type MarkdownBlock } from "./markdown.ts";
import { countRoutes, ReferenceIndex, ResourceBody } from "./reference.tsx";
import { resourcesOf } from "./resources.ts";

/** The library is built once, at the first request. */
export const docsPages = (library: () => Library): readonly DashboardPage[] => {
  let made: Library | null = null;
  const read = (): Library => (made ??= library());
  return [
    publicPage({
      path: "/docs",
      show: async ({ baseUrl }) => ({
        title: "Documentation",
        styles: ["docs.css"],
        body: <Start library={read()} baseUrl={baseUrl} />,
      }),
    }),
    publicPage({
      path: "/docs/{reference}",
      show: async ({ params, query }) => {
        const reference = referenceNamed(read(), params["reference"]);
        const search = query.get("search")?.trim().slice(0, 100) ?? "";
        return {
          title: reference.document.info.title,
          styles: ["docs.css"],
          body: <ReferenceIndex reference={reference} search={search} />,
        };
      },
    }),
    publicPage({
      path: "/docs/{reference}/{resource}",
      show: async ({ params }) => {
        const reference = referenceNamed(read(), params["reference"]);
        const resource = resourcesOf(reference).find(({ id }) => id === params["resource"]);
        if (!resource) throw new Refusal("not_found", "There is no such page of the documentation.");
        return {
          title: `${resource.title}, ${reference.document.info.title}`,
          styles: ["docs.css"],
          body: <ResourceBody reference={reference} resource={resource} />,
        };
      },
    }),
    publicPage({
      path: "/docs/guides/{guide}",
      show: async ({ params }) => {
        const guide = read().guides.find(({ name }) => name === params["guide"]);
        if (!guide) throw new Refusal("not_found", "There is no such guide.");
        return {
          title: guide.title,
          styles: ["docs.css"],
          body: <GuideBody guide={guide} all={read().guides} />,
        };
      },
    }),
  ];
};

function referenceNamed({ references }: Library, name: string | undefined): Reference {
  const reference = references.find((each) => each.name === name);
  if (!reference) throw new Refusal("not_found", "There is no such page of the documentation.");
  return reference;
}

function Start({ library: { references, guides }, baseUrl }: { library: Library; baseUrl: string }) {
  return (
    <>
      <h1>Documentation</h1>
      <div class="columns">
        <Card title="Guides">
          <ul class="plain-list">
            {guides.map(({ name, title }) => (
              <li key={name}>
                <a href={`/docs/guides/${name}`}>{title}</a>
              </li>
            ))}
          </ul>
        </Card>
        <Card title="Reference">
          <ul class="plain-list">
            {references.map((reference) => (
              <li key={reference.name}>
                <a href={`/docs/${reference.name}`}>{reference.document.info.title}</a>,{" "}
                {countRoutes(resourcesOf(reference))} routes
                <p class="small quiet">{reference.document.info.description}</p>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      <Connect baseUrl={baseUrl} />
    </>
  );
}

/** How to connect an assistant. */
function Connect({ baseUrl }: { baseUrl: string }) {
  const header = '--header "Authorization: Bearer $TICKMARK_TOKEN"';
  const entry = {
    mcpServers: {
      tickmark: {
        type: "http",
        url: `${baseUrl}/mcp`,
        headers: { Authorization: "Bearer ${TICKMARK_TOKEN}" },
      },
    },
  };
  return (
    <Card title="Connect an assistant" id="connect">
      <p>
        The connector speaks MCP over HTTP at <code>{`${baseUrl}/mcp`}</code>. The connector can do what an
        API token can do, and nothing more.
      </p>
      <ol class="steps">
        <li>
          A client that signs in by itself (OAuth) needs only that address. It opens a page here on which you
          choose what it may do.
        </li>
        <li>
          Any other client needs a token. You make one under{" "}
          <a href="/settings/security">Settings, Security</a>. With Claude Code:
          <pre>
            <Words of={`claude mcp add --transport http tickmark ${baseUrl}/mcp ${header}`} />
          </pre>
        </li>
        <li>
          A client that is configured by a file needs this entry:
          <pre>
            <code>{JSON.stringify(entry, null, 2)}</code>
          </pre>
        </li>
      </ol>
      <p>
        The REST API accepts the same token:
        <pre>
          <Words of={`curl -H "Authorization: Bearer $TICKMARK_TOKEN" ${baseUrl}/api/v1/servers`} />
        </pre>
      </p>
    </Card>
  );
}

function GuideBody({ guide, all }: { guide: Guide; all: readonly Guide[] }) {
  const blocks = readMarkdown(guide.text);
  const first = blocks.findIndex(({ kind }) => kind === "heading");
  const rest = blocks.filter((_, index) => index !== first);
  const parts = rest.filter(
    (block): block is Extract<MarkdownBlock, { kind: "heading" }> =>
      block.kind === "heading" && block.level === 2,
  );
  const entries = all.map(({ name, title }) => ({
    href: `/docs/guides/${name}`,
    title,
    isOpen: name === guide.name,
    parts,
  }));
  return (
    <div class="document">
      <Contents label="Guides" entries={entries} />
      <div class="stack">
        <h1>{guide.title}</h1>
        <RenderedGuide blocks={rest} />
      </div>
    </div>
  );
}
