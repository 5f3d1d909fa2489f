import { expect, it } from "vitest";
import { ownManifest } from "../../../src/cli/own-manifest.ts";
import type { Manifest } from "../../../src/mcp/catalogue/manifest.ts";
import { loadManifest } from "../../../src/mcp/catalogue/load-manifest.ts";
import { upstreamAnswer } from "../../../src/outbound/upstream-answer.ts";
import { prompts } from "../../../resources/prompts/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";

const thawed = loadManifest(JSON.parse(JSON.stringify(ownManifest())) as Manifest, {
  guides: [],
  wording,
  prompts: async () => prompts,
});

const hidden = /[\u200b\u202e\u2028]|!\[/;
const hostile = "a\u200b\u202e\u2028![x](https://example.org)";

/** An answer in which every text is hostile, and every object has one more member that is. */
function spoilt(value: unknown): unknown {
  if (Array.isArray(value)) return [...value.map(spoilt), hostile, { [hostile]: [hostile] }];
  if (typeof value === "string") return hostile;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, spoilt(member)] as const);
  return { ...Object.fromEntries(members), [hostile]: hostile, more: { deep: [{ text: hostile }] } };
}

it("[OUR-MCP-49] an answer from elsewhere that does not fit its endpoint hides nothing", () => {
  for (const { view, definition } of thawed.tools) {
    const { output } = tools.find((tool) => tool.definition.name === definition.name)?.view.endpoint
      .example ?? { output: null };
    for (const value of [spoilt(output), { data: hostile }, { page: [[hostile]] }]) {
      const shown = JSON.stringify(view.thirdParty.apply(value).value);
      expect(shown.match(hidden), definition.name).toBeNull();
      expect(shown).toContain("\\u{200B}");
    }
  }
});

it("[OUR-MCP-49] an answer that fits is shown as the service itself shows it", () => {
  for (const [at, { view }] of thawed.tools.entries()) {
    const own = tools[at]?.view;
    const { output } = own?.endpoint.example ?? {};
    expect(view.thirdParty.apply(output), view.endpoint.id).toEqual(own?.thirdParty.apply(output));
    expect(view.thirdParty.apply(output, { row: 20, item: 20 })).toEqual(
      own?.thirdParty.apply(output, { row: 20, item: 20 }),
    );
  }
});

it("[OUR-MCP-49] nor does an error from elsewhere", () => {
  const text = JSON.stringify({ error: "teapot", message: hostile, [hostile]: [hostile] });
  const told = upstreamAnswer({ status: 418, headers: {}, text }, "tkm_x", 0, () => {});
  if (told.ok) throw new Error("A refusal was taken for an answer.");
  expect(JSON.stringify(told.body).match(hidden)).toBeNull();
  expect(told.body.error).toBe("teapot");
});
