import { restore } from "../../src/core/text/neutralise.ts";
import { hiddenIn, isUncollapsed } from "../support/corpus.ts";
import type { Json } from "../support/payload.ts";
import type { TestService } from "../support/service.ts";

/** What a model must not find raw outside a JSON string, nor a client in the wire form. */
export const frames = /[<>&`\u007f-\u009f\u2028\u2029]/;

/** What went wrong, or may, where texts of others went through REST and through a tool. */
export const fresh = () => ({
  fields: 0,
  restDiffers: 0,
  hiddenLeft: 0,
  textDiffers: 0,
  changed: 0,
  notRestored: 0,
  rawFrames: 0,
  cut: 0,
});
type Tally = ReturnType<typeof fresh>;

/** What a tally says where nothing is wrong. */
export const clean = { restDiffers: 0, hiddenLeft: 0, textDiffers: 0, notRestored: 0, rawFrames: 0 };

/** Every text of a value: its strings, and the names of its members. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* textsIn(member);
  }
}

/** Counts what a model is shown of a field. */
export function judgeField(tally: Tally, sent: unknown, shown: unknown): void {
  const [before, after] = [[...textsIn(sent)], [...textsIn(shown)]];
  const cut = after.some((text) => text.includes("…[+"));
  tally.fields += 1;
  if (after.some((text) => hiddenIn(text).length > 0)) tally.hiddenLeft += 1;
  if (cut) tally.cut += 1;
  else if (JSON.stringify(after) !== JSON.stringify(before)) tally.changed += 1;
  const restored = after.map((text) => restore(text));
  if (!cut && before.every(isUncollapsed) && JSON.stringify(restored) !== JSON.stringify(before))
    tally.notRestored += 1;
}

/** What a tool answered: its bytes, its text and its data. */
interface ToolAnswer {
  readonly raw: string;
  readonly told: string;
  readonly structured: Json;
}

export async function callTool(
  service: TestService,
  token: string,
  name: string,
  args: Json,
): Promise<ToolAnswer> {
  const { text } = await service.request("POST", "/mcp", {
    token,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  });
  const { result } = JSON.parse(text) as {
    result: { content: [{ text: string }]; structuredContent: Json };
  };
  return { raw: text, told: result.content[0].text, structured: result.structuredContent };
}

/** Counts what is wrong with the answer as a whole. */
export function judgeAnswer(tally: Tally, { raw, told, structured }: ToolAnswer): void {
  if (frames.test(raw) || frames.test(told) || raw.includes("\n")) tally.rawFrames += 1;
  if (JSON.stringify(JSON.parse(told)) !== JSON.stringify(structured)) tally.textDiffers += 1;
}
