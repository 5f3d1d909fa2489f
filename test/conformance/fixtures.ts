import { changePlan } from "../../src/services/access/change-plan.ts";
import { z } from "zod";
import { defineEndpoint, type Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import type { Block } from "../../src/mcp/result/block.ts";
import type { Catalogue } from "../../src/mcp/catalogue/catalogue.ts";
import type { Guide } from "../../src/mcp/catalogue/guides.ts";
import type {
  ConfirmingPerson,
  ConfirmationQuestion,
  ConfirmationAnswer,
} from "../../src/mcp/consent/person.ts";
import type { Prompt } from "../../src/mcp/catalogue/prompt.ts";
import { resource } from "../../src/mcp/catalogue/resource.ts";
import { tool, type Tool } from "../../src/mcp/catalogue/tool.ts";
import { wording } from "../../tools/wording.ts";

/*
 * What the conformance suite calls by name. The values are declared as ours are and go through the same table,
 * transport and projection; only the words and answers are the suite's.
 */
const access = { face: "api", scope: null } as const;
const ConfirmationAnswer = z.object({ text: z.string() });

const saying = (id: string, text: string, takes: Readonly<Record<string, z.ZodString>> = {}): Endpoint =>
  defineEndpoint({
    id: `conformance.${id}`,
    method: "GET",
    path: `/conformance/${id}`,
    params: {},
    access,
    summary: "Says one sentence.",
    input: z.strictObject(takes),
    output: ConfirmationAnswer,
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
  output: ConfirmationAnswer,
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

/** A step up and down in plan: the tool behind it is offered on one of the two alone. */
const changing = defineEndpoint({
  id: "conformance.changing",
  method: "POST",
  path: "/conformance/changing",
  params: {},
  access,
  summary: "Changes the caller's plan, and with it the list of tools.",
  input: z.strictObject({}),
  output: ConfirmationAnswer,
  errors: [],
  example: { input: {}, output: { text: "" } },
  handle: async (_, { db, caller, now }) => {
    if (caller.kind !== "token") return { text: "Nobody is there." };
    const { id, plan } = caller.account;
    await db.write(changePlan, id, plan === "free" ? "pro" : "free", now);
    return { text: "Changed." };
  },
});

const planned = defineEndpoint({
  id: "conformance.planned",
  method: "GET",
  path: "/conformance/planned",
  params: {},
  access: { face: "api", scope: null, plan: "monitoring" },
  summary: "Says one sentence to some plans.",
  input: z.strictObject({}),
  output: ConfirmationAnswer,
  errors: [],
  example: { input: {}, output: { text: "" } },
  handle: async () => ({ text: "There." }),
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

const asked = (
  key: string,
  message: string,
  properties: ConfirmationQuestion["schema"]["properties"],
): ConfirmationQuestion => ({
  key,
  message,
  schema: { type: "object", properties, required: Object.keys(properties) },
  sealed: false,
});

const nameOf = (key: string): ConfirmationQuestion =>
  asked(key, "What is your name?", { name: { type: "string" } });
const isSure: ConfirmationQuestion = {
  ...asked("confirm", "Please confirm", { ok: { type: "boolean" } }),
  sealed: true,
};

/** A tool that asks the person before its call, which is made once they agreed. */
const questioning = (
  name: string,
  text: string,
  ask: (args: Readonly<Record<string, unknown>>, person: ConfirmingPerson) => Promise<ConfirmationAnswer>,
  takes: Readonly<Record<string, z.ZodString>> = {},
): Tool => ({
  ...named(name, saying(name.replaceAll("_", "-"), text, takes)),
  asksFirst: { confirmations: [], ask },
});

const defaults = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

const options = ["option1", "option2", "option3"];
const titled = [
  { const: "value1", title: "First" },
  { const: "value2", title: "Second" },
];
const choices = {
  untitledSingle: { type: "string", enum: options },
  titledSingle: { type: "string", oneOf: titled },
  legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
  untitledMulti: { type: "array", items: { type: "string", enum: options } },
  titledMulti: { type: "array", items: { anyOf: titled } },
};

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
  named("test_trigger_tool_change", changing),
  named("of_some_plans", planned),
  // Each piece is a step of its progress, and so is the answer they are made of.
  named("test_tool_with_progress", saying("progress", "Three steps."), [image, image]),
  named("test_tool_with_logging", saying("log", "Three messages were logged.")),
  named("test_logging_tool", saying("logging", "What is logged depends on who asks for it.")),
  questioning("test_streaming_elicitation", "Gone on.", (_, person) => person.ask(asked("go", "Go on?", {}))),
  questioning(
    "test_elicitation",
    "Somebody said who they are.",
    ({ message }, person) =>
      person.ask(asked("who", String(message), { username: { type: "string" }, email: { type: "string" } })),
    { message: z.string() },
  ),
  questioning("test_elicitation_sep1034_defaults", "Filled in.", (_, person) =>
    person.ask(asked("of", "Who?", defaults)),
  ),
  questioning("test_elicitation_sep1330_enums", "Chosen.", (_, person) =>
    person.ask(asked("of", "Which?", choices)),
  ),
  questioning("test_input_required_result_elicitation", "Hello!", (_, person) =>
    person.ask(nameOf("user_name")),
  ),
  questioning("test_input_required_result_tampered_state", "Confirmed.", (_, person) => person.ask(isSure)),
  questioning("test_input_required_result_request_state", "state-ok", (_, person) => person.ask(isSure)),
  questioning("test_input_required_result_multi_round", "Both said.", async (_, person) => {
    await person.ask({ ...nameOf("step1"), sealed: true });
    return person.ask({ ...asked("step2", "Which colour?", { color: { type: "string" } }), sealed: true });
  }),
];

const words = { title: "A fixture", description: "A fixture of the suite.", ttlSeconds: 60 };

const resources = [
  resource(saying("watched", "A resource."), {
    uri: "test://watched-resource",
    name: "watched-resource",
    watchedFields: ["text"],
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
  asking("test_input_required_result_prompt", ["context"], ({ context }) => [
    { type: "text", text: `In the context of ${context}` },
  ]),
  asking("test_prompt_with_image", [], () => [image, { type: "text", text: "What does it show?" }]),
];

export const fixtures: Catalogue = { tools, resources, prompts, guides, wording };
