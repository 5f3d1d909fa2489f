import { z } from "zod";
import { defineEndpoint, type Endpoint } from "../../src/contract/endpoint.ts";
import type { Block } from "../../src/mcp/block.ts";
import type { Catalogue } from "../../src/mcp/catalogue.ts";
import type { Guide } from "../../src/mcp/guides.ts";
import type { Prompt } from "../../src/mcp/prompt.ts";
import { resource } from "../../src/mcp/resource.ts";
import { tool, type Tool } from "../../src/mcp/tool.ts";
import { wording } from "../../tools/wording.ts";

/*
 * What the conformance suite calls by name. The values are declared as ours are and go through the same table,
 * transport and projection; only the words and answers are the suite's.
 */

const access = { face: "api", scope: null } as const;
const Said = z.object({ text: z.string() });

const saying = (id: string, text: string): Endpoint =>
  defineEndpoint({
    id: `conformance.${id}`,
    method: "GET",
    path: `/conformance/${id}`,
    params: {},
    access,
    summary: "Says one sentence.",
    input: z.strictObject({}),
    output: Said,
    errors: [],
    example: { input: {}, output: { text } },
    handle: async () => ({ text }),
  });

const failing = defineEndpoint({
  id: "conformance.failing",
  method: "GET",
  path: "/conformance/failing",
  params: {},
  access,
  summary: "Always refuses.",
  input: z.strictObject({}),
  output: Said,
  errors: ["not_found"],
  example: { input: {}, output: { text: "" } },
  handle: async (_, { fail }) => fail("not_found", "This tool always fails."),
});

const numbered = defineEndpoint({
  id: "conformance.numbered",
  method: "GET",
  path: "/conformance/numbered/{id}",
  params: { id: "id" },
  access,
  summary: "Repeats what stands in its address.",
  input: z.strictObject({ id: z.string() }),
  output: z.object({ id: z.string(), data: z.string() }),
  errors: [],
  example: { input: { id: "1" }, output: { id: "1", data: "Data for 1" } },
  handle: async ({ id }) => ({ id, data: `Data for ${id}` }),
});

const redPixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/** 44 bytes of header and no sample. */
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const image: Block = { type: "image", data: redPixel, mimeType: "image/png" };
const audio: Block = { type: "audio", data: silence, mimeType: "audio/wav" };
const embedded = (uri: string, mimeType = "text/plain", text = "Embedded."): Block => ({
  type: "resource",
  resource: { uri, mimeType, text },
});

const named = (name: string, endpoint: Endpoint, blocks: readonly Block[] = []): Tool => ({
  ...tool(endpoint, { name, title: name, description: "A fixture of the suite.", toolset: "account" }),
  attaches:
    blocks.length === 0
      ? null
      : { argument: null, drawing: null, input: {}, pieces: blocks.map((block) => async () => block) },
});

const tools: readonly Tool[] = [
  named("test_simple_text", saying("simple", "This is a simple text response for testing.")),
  named("test_image_content", saying("image", "An image."), [image]),
  named("test_audio_content", saying("audio", "A sound."), [audio]),
  named("test_embedded_resource", saying("embedded", "A resource."), [embedded("test://embedded-resource")]),
  named("test_multiple_content_types", saying("mixed", "Both."), [
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]),
  named("test_error_handling", failing),
  // Each piece is a step of its progress, and so is the answer they are made of.
  named("test_tool_with_progress", saying("progress", "Three steps."), [image, image]),
  named("test_logging_tool", saying("logging", "Nothing is logged to a client.")),
  named("test_streaming_elicitation", saying("streaming", "Nothing is asked of a client.")),
];

const words = { title: "A fixture", description: "A fixture of the suite.", ttlSeconds: 60 };

const resources = [
  resource(saying("watched", "A resource."), {
    uri: "test://watched-resource",
    name: "watched-resource",
    ...words,
  }),
  resource(numbered, { uri: "test://template/{id}/data", name: "template", ...words }),
];

const guides: readonly Guide[] = [
  {
    content: { text: "This is the content of the static text resource." },
    definition: { uri: "test://static-text", name: "text", title: "Text", mimeType: "text/plain" },
  },
  {
    content: { blob: redPixel },
    definition: { uri: "test://static-binary", name: "binary", title: "Binary", mimeType: "image/png" },
  },
];

const asking = (name: string, takes: readonly string[], messages: Prompt["messages"]): Prompt => ({
  definition: {
    name,
    title: name,
    description: "A fixture of the suite.",
    arguments: takes.map((argument) => ({ name: argument, description: "Any text.", required: true })),
  },
  suggests: {},
  endpoints: [],
  messages,
});

const prompts: readonly Prompt[] = [
  asking("test_simple_prompt", [], () => [{ type: "text", text: "This is a simple prompt." }]),
  asking("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
    { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` },
  ]),
  asking("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) => [
    embedded(resourceUri),
    { type: "text", text: "What does it say?" },
  ]),
  asking("test_prompt_with_image", [], () => [image, { type: "text", text: "What does it show?" }]),
];

export const fixtures: Catalogue = { tools, resources, prompts, guides, wording };
