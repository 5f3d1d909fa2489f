import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readInline, readMarkdown } from "../../../src/dashboard/pages/docs/markdown.ts";
import { agentEndpoints } from "../../../src/endpoints/agent/registry.ts";
import { apiEndpoints } from "../../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../../src/endpoints/plugin/registry.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const page = async (path: string): Promise<string> => {
  const { status, text } = await service.request("GET", path);
  expect(status, path).toBe(200);
  return text;
};

const guides = readdirSync("resources/guides")
  .filter((file) => file !== "README.md")
  .map((file) => file.replace(/\.md$/, ""));
const count = (text: string, part: string): number => text.split(part).length - 1;

/** The text of a page. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

describe("the reference", () => {
  it.each([
    ["api", "/api/v1", apiEndpoints],
    ["plugin", "/plugin/v1", pluginEndpoints],
    ["runner", "/agent/v1", agentEndpoints],
  ] as const)("[OUR-DOC-01] tells every endpoint of %s once", async (name, prefix, endpoints) => {
    const index = await page(`/docs/${name}`);
    const resources = new Set(
      [...index.matchAll(new RegExp(`href="(/docs/${name}/[a-z-]+)"`, "g"))].map(([, to = ""]) => to),
    );
    const pages = await Promise.all([...resources].map(page));
    const text = pages.join("");
    const sections = text.split('<section class="card operation"').slice(1);
    expect(sections.length).toBe(endpoints.length);
    for (const endpoint of endpoints) {
      const route = `<code class="method">${endpoint.method}</code> <code>${prefix}${endpoint.path}</code>`;
      expect(count(text, route), endpoint.id).toBe(1);
      const section = wordsOf(sections.find((each) => each.includes(route)) ?? "");
      expect(section).toContain(endpoint.summary);
      if (endpoint.access.face === "api" && endpoint.access.scope)
        expect(section).toContain(endpoint.access.scope);
      for (const field of endpoint.fields.values())
        if (field.name !== endpoint.wholeBody?.name)
          expect(section, `${endpoint.id} ${field.name}`).toContain(field.placeholder ?? field.name);
      for (const code of endpoint.errors) expect(section).toContain(code);
      for (const field of Object.keys((endpoint.example.output ?? {}) as object))
        expect(section).toContain(field);
    }
    const largest = Math.max(...pages.map(({ length }) => length));
    console.log(
      `/docs/${name}: ${endpoints.length} endpoints on ${pages.length} pages, largest ${Math.round(largest / 1024)} KiB`,
    );
  });

  it("[OUR-DOC-05] finds routes by path, summary, field, scope and error, in any case, and states how many", async () => {
    const find = async (search: string): Promise<string[]> => {
      const html = await page(`/docs/api?${new URLSearchParams({ search })}`);
      const ids = [...html.matchAll(/<li id="(\w+)"/g)].map(([, id = ""]) => id);
      expect(wordsOf(html)).toContain(`${ids.length} of ${apiEndpoints.length} routes.`);
      return ids;
    };
    const rules = await find("ALERT-rules post");
    expect(rules).toContain("alertRulesCreate");
    expect(rules).not.toContain("alertRulesList");
    expect(await find("cooldown_minutes")).toContain("alertRulesList");
    expect(await find("report_locked")).toContain("reportsUpdate");
    expect(await find("monitoring:write")).not.toEqual([]);
    expect(await find("no such words")).toEqual([]);
  });
});

describe("the guides", () => {
  it("[OUR-DOC-02] have one page each, with all of their words", async () => {
    const start = await page("/docs");
    for (const name of guides) {
      expect(count(start, `href="/docs/guides/${name}"`)).toBe(1);
      // The language of a block is for who writes it.
      const source = readFileSync(`resources/guides/${name}.md`, "utf8").replaceAll(/^```\w+$/gm, "```");
      const shown = new Set(wordsOf(await page(`/docs/guides/${name}`)).match(/[\p{L}\p{N}_]+/gu));
      const missing = [...new Set(source.match(/[\p{L}\p{N}_]+/gu))].filter((word) => {
        const parts = [...shown].some((known) => known.includes(word));
        return !parts;
      });
      expect(missing, name).toEqual([]);
      for (const [, , heading = ""] of source.matchAll(/^(##+) +(.+)$/gm)) {
        const text = await page(`/docs/guides/${name}`);
        expect(wordsOf(text)).toContain(heading.replaceAll("`", ""));
      }
    }
  });

  it("[OUR-DOC-02] answers 404 for an unknown page", async () => {
    for (const path of [
      "/docs/nothing",
      "/docs/api/nothing",
      "/docs/guides/nothing",
      "/docs/guides/..%2fREADME",
      "/docs/guides/",
    ])
      expect((await service.request("GET", path)).status).toBe(404);
  });
});

describe("links", () => {
  it("[OUR-DOC-03] of the documentation lead somewhere, anchors included", async () => {
    const pages = new Map<string, string>();
    const waiting = ["/docs"];
    const links: { from: string; path: string; anchor: string }[] = [];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (pages.has(path)) continue;
      const text = await page(path);
      pages.set(path, text);
      for (const [, href = ""] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [target = "", anchor = ""] = href.split("#");
        const to = target === "" ? path : target;
        links.push({ from: path, path: to, anchor });
        if (to.startsWith("/docs") && !pages.has(to)) waiting.push(to);
      }
    }
    // Pages of other parts: whether they exist is seen by asking.
    const outside = new Map<string, number>();
    const broken: string[] = [];
    for (const { from, path, anchor } of links) {
      const text = pages.get(path);
      if (text !== undefined) {
        if (anchor !== "" && anchor !== "content" && !text.includes(`id="${anchor}"`))
          broken.push(`${from} → ${path}#${anchor}`);
      } else if (!outside.has(path)) outside.set(path, (await service.request("GET", path)).status);
    }
    const inDocs = [...outside].filter(([path]) => path.startsWith("/docs") || path.endsWith("openapi.json"));
    broken.push(...inDocs.filter(([, status]) => status !== 200).map(([path]) => path));
    console.log(`${pages.size} pages of documentation, ${links.length} links, ${broken.length} broken`);
    const resources = [...pages.keys()].filter((path) => /^\/docs\/(?!guides\/)[^/]+\/./.test(path));
    expect(pages.size).toBe(1 + 3 + guides.length + resources.length);
    expect(broken).toEqual([]);
  });
});

describe("Markdown", () => {
  it("[OUR-DOC-04] reads the Markdown of the guides", () => {
    const blocks = readMarkdown(
      "# A\n\nOne\ntwo.\n\n- a `b`\n  goes on\n- **c**\n\n1. x\n2. y\n\n| h | i |\n| --- | --- |\n| 1 | 2 |\n\n```sh\n<b>\n```\n## A\n",
    );
    expect(blocks.map(({ kind }) => kind)).toEqual([
      "heading",
      "paragraph",
      "list",
      "list",
      "table",
      "code",
      "heading",
    ]);
    expect(blocks[1]).toEqual({ kind: "paragraph", text: "One two." });
    expect(blocks[2]).toEqual({ kind: "list", ordered: false, items: ["a `b` goes on", "**c**"] });
    expect(blocks[3]).toMatchObject({ ordered: true, items: ["x", "y"] });
    expect(blocks[4]).toEqual({ kind: "table", head: ["h", "i"], rows: [["1", "2"]] });
    expect(blocks[5]).toEqual({ kind: "code", text: "<b>" });
    expect(blocks[6]).toMatchObject({ id: "a-2" });
  });

  it("[OUR-DOC-04] leaves everything else text", () => {
    expect(
      readInline("a `b` **c `d`** *e* [f](/g) [h](https://i.example/) <https://j.example>"),
    ).toMatchObject([
      { kind: "text" },
      { kind: "code", text: "b" },
      { kind: "text" },
      { kind: "strong" },
      { kind: "text" },
      { kind: "emphasis" },
      { kind: "text" },
      { kind: "link", href: "/g" },
      { kind: "text" },
      { kind: "link", href: "https://i.example/" },
      { kind: "text" },
      { kind: "link", href: "https://j.example" },
    ]);
    for (const text of [
      "[x](javascript:alert(1))",
      "[x](data:text/html,y)",
      "<script>alert(1)</script>",
      "<img src=x onerror=y>",
      "2 * 3 * 4",
      "**not closed",
      "`not closed",
      "![x](//evil.example)",
    ])
      expect(readInline(text)).toEqual([{ kind: "text", text }]);
    for (const text of ["```\nnever closed", "|", "- ", "#", "1.", "\r\n\r\n"]) readMarkdown(text);
  });
});
