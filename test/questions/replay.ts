import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import type { AskedDemo } from "./asked-demo.ts";
import { valueAt } from "./pointer.ts";
import type { Argument, Call, Fact, Question } from "./question.ts";

/** What both generations of the SDK's client offer, as far as questions need it. */
export interface Agent {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[]; _meta?: unknown }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ messages: unknown[] }>;
  complete(params: {
    ref: { type: "ref/prompt"; name: string };
    argument: { name: string; value: string };
  }): Promise<{ completion: { values: string[] } }>;
}

/** What a model read of one question. */
export interface Replayed {
  /** Tool calls and reads, and how many of them the account's day counted. */
  readonly calls: number;
  readonly counted: number;
  /** o200k tokens of everything read: the prompt's message, the text of each result. */
  readonly tokens: number;
  readonly path: string;
}

interface Read {
  readonly text: string;
  readonly json: unknown;
  readonly cost: number;
  readonly pictures: number;
}

/** Makes the calls of a question as an agent would, and holds every answer against what is true. */
export async function replay(demo: AskedDemo, agent: Agent, question: Question): Promise<Replayed> {
  const { account, calls, prompt } = question;
  const prompted = prompt ? await choose(agent, prompt) : {};
  const said = prompt ? await promptText(agent, prompt.name, prompted, calls) : "";
  const reads: Read[] = [];
  for (const call of calls) reads.push(await made(demo, agent, call, { first: reads[0]?.json, prompted }));
  const answers = reads.map(({ json }) => json);
  for (const fact of question.facts) await holds(demo, account, fact, answers);
  for (const { rest, member, is } of question.after ?? []) {
    const path = placed(demo, rest, answers);
    expect({ path, member, is: valueAt(await demo.rest(account, path), member) }).toEqual({
      path,
      member,
      is,
    });
  }
  const all = reads.map(({ text }) => text).join("\n");
  for (const text of [...(question.lacks ?? []), ...demo.foreign(account).map((name) => `"${name}"`)])
    expect(all).not.toContain(text);
  expect(reads.some(({ pictures }) => pictures > 0)).toBe(question.draws === true);
  return {
    calls: reads.length,
    counted: reads.reduce((sum, { cost }) => sum + cost, 0),
    tokens: reads.reduce((sum, { text }) => sum + tokensOf(text), said === "" ? 0 : tokensOf(said)),
    path: [...(prompt ? [`/${prompt.name}`] : []), ...calls.map(nameOf)].join(" > "),
  };
}

const nameOf = (call: Call): string => ("tool" in call ? call.tool : call.resource);

type Prompted = Readonly<Record<string, string>>;

/** Fills a prompt as a person does: the ids from what completion offers for the typed text, which has to be one. */
async function choose(agent: Agent, { name, args }: NonNullable<Question["prompt"]>): Promise<Prompted> {
  const chosen: Record<string, string> = {};
  for (const [argument, value] of Object.entries(args)) {
    if (typeof value === "string") chosen[argument] = value;
    else {
      const { completion } = await agent.complete({
        ref: { type: "ref/prompt", name },
        argument: { name: argument, value: value.typed },
      });
      expect(completion.values).toHaveLength(1);
      chosen[argument] = completion.values[0] ?? "";
    }
  }
  return chosen;
}

/** The message a prompt begins with; it names the question's calls, in their order. */
async function promptText(
  agent: Agent,
  name: string,
  prompted: Prompted,
  calls: readonly Call[],
): Promise<string> {
  const { messages } = await agent.getPrompt({ name, arguments: prompted });
  const text = messages.map((message) => String(valueAt(message, "/content/text"))).join("\n");
  const named = [...text.matchAll(/^\d\. (\w+):/gm)].map(([, tool = ""]) => tool);
  expect(named).toEqual(calls.map(nameOf));
  return text;
}

/** What is known when a call is made. */
interface Known {
  readonly first: unknown;
  readonly prompted: Prompted;
}

async function made(demo: AskedDemo, agent: Agent, call: Call, known: Known): Promise<Read> {
  if ("resource" in call) {
    const { contents, _meta: meta } = await agent.readResource({ uri: call.resource });
    const text = String(valueAt(contents, "/0/text"));
    const isJson = valueAt(contents, "/0/mimeType") === "application/json";
    return { text, json: isJson ? JSON.parse(text) : text, cost: costIn(meta), pictures: 0 };
  }
  const args: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(call.args ?? {}))
    args[name] = await filled(demo, argument, known);
  const result = await agent.callTool({ name: call.tool, arguments: args });
  const content = result["content"] as { type: string; text?: string }[];
  const text = content[0]?.text ?? "";
  const refused = result["isError"] === true ? text : "none";
  expect({ tool: call.tool, refused }).toEqual({ tool: call.tool, refused: "none" });
  const pictures = content.filter(({ type }) => type === "image").length;
  return { text, json: JSON.parse(text), cost: costIn(result["_meta"]), pictures };
}

/** What a call cost of the day; a guide costs nothing and says so by saying nothing. */
const costIn = (meta: unknown): number =>
  typeof meta === "object" && meta !== null
    ? Number(valueAt(Reflect.get(meta, "tickmark/quota"), "/cost") ?? 0)
    : 0;

async function filled(demo: AskedDemo, argument: Argument, known: Known): Promise<unknown> {
  if (typeof argument !== "object" || argument === null) return argument;
  if ("from" in argument) {
    const value = valueAt(known.first, argument.from);
    expect(value, argument.from).toBeDefined();
    return value;
  }
  if ("prompted" in argument) return known.prompted[argument.prompted];
  if ("printed" in argument) return demo.linkCode();
  return Promise.all(argument.map((each) => filled(demo, each, known)));
}

/** Fills `{Old Mill}` with that server's id, and `{0:/data/0/id}` with what stands there in an answer. */
const placed = (demo: AskedDemo, text: string, answers: readonly unknown[]): string =>
  text.replaceAll(/\{(?:(\d):)?([^}]+)\}/g, (_, of: string | undefined, name: string) =>
    of === undefined ? demo.serverId(name) : String(valueAt(answers[Number(of)], name)),
  );

async function holds(
  demo: AskedDemo,
  account: Question["account"],
  fact: Fact,
  answers: readonly unknown[],
): Promise<void> {
  const { at, of = answers.length - 1 } = fact;
  const value = valueAt(answers[of], at);
  if ("is" in fact) expect({ at, value }).toEqual({ at, value: fact.is });
  else if ("absent" in fact) expect({ at, value }).toEqual({ at, value: undefined });
  else if ("has" in fact) expect(JSON.stringify(value) ?? "", at).toContain(fact.has);
  else if ("least" in fact) {
    expect(value, at).toBeGreaterThanOrEqual(fact.least);
    expect(value, at).toBeLessThanOrEqual(fact.most);
  } else {
    const truth = valueAt(await demo.rest(account, placed(demo, fact.rest, answers)), fact.member);
    expect(truth, `${fact.rest} ${fact.member}`).toBeDefined();
    expect({ at, value }).toEqual({ at, value: truth });
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Ids, cursors and ports differ from run to run: they are counted as one of their kind. */
export const tokensOf = (text: string): number =>
  countTokens(
    text
      .replaceAll(uuid, "01a2028e-3dfa-7a68-a700-48320aa375e2")
      .replaceAll(/"short_id":"\w+"/g, '"short_id":"yznckbtfnuxf"')
      .replaceAll(
        /"cursor":"[\w-]+"/g,
        (cursor) => `"cursor":"${"P2Jq-uPJLSrVLrygxC17".repeat(9).slice(0, cursor.length - 11)}"`,
      )
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080"),
  );
