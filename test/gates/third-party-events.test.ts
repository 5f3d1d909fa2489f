import { afterAll, beforeAll, expect, it } from "vitest";
import { restore } from "../../src/core/text/neutralise.ts";
import listServerEventsTool from "../../tools/list-server-events.ts";
import { corpus, hasCorpus, hiddenIn, isUncollapsed } from "../support/corpus.ts";
import type { Json } from "../support/payload.ts";
import {
  pageOf,
  roomyPlans,
  rowsOf,
  startTestService,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";
import { handClock, minuteMs } from "../rest/clock.ts";

let service: TestService;
const clock = handClock();

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** Whether a field of that many code points keeps the text: no store holds U+0000 or half a surrogate pair. */
const fits = (text: string, max: number): boolean =>
  [...text].length <= max && text.isWellFormed() && !text.includes("\u0000");

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** An event that says the text in every field that can hold it; metadata holds any, up to its size. */
function eventOf(text: string, index: number): Json {
  const or = (max: number): string => (fits(text, max) ? text : "-");
  const metadata = { [text]: { list: [text, [text]] } };
  return {
    local_id: `event-${index}`,
    type: or(64),
    category: "moderation",
    source: or(64),
    severity: "info",
    title: or(500),
    description: or(4000),
    metadata: bytesOf(metadata) <= 16 * 1024 ? metadata : null,
    // One instant after the other, so that the list gives them back in their order.
    timestamp: new Date(clock.now() - index * 1000).toISOString(),
    duration_ms: index,
  };
}

interface Tally {
  events: number;
  fields: number;
  restDiffers: number;
  hiddenLeft: number;
  textDiffers: number;
  changed: number;
  notRestored: number;
  rawFrames: number;
  cut: number;
}

/** What a model must not find raw outside a JSON string, nor a client in the wire form. */
const frames = /[<>&`\u007f-\u009f\u2028\u2029]/;

/** Every text of a value: its strings, and the names of its members. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* textsIn(member);
  }
}

function judgeRow(tally: Tally, sent: Json, shown: Json): void {
  for (const field of ["type", "source", "title", "description", "metadata"]) {
    const [before, after] = [[...textsIn(sent[field])], [...textsIn(shown[field])]];
    const cut = after.some((text) => text.includes("…[+"));
    tally.fields += 1;
    if (after.some((text) => hiddenIn(text).length > 0)) tally.hiddenLeft += 1;
    if (cut) tally.cut += 1;
    else if (JSON.stringify(after) !== JSON.stringify(before)) tally.changed += 1;
    const restored = after.map((text) => restore(text));
    if (!cut && before.every(isUncollapsed) && JSON.stringify(restored) !== JSON.stringify(before))
      tally.notRestored += 1;
  }
}

async function upload(server: LinkedServer, events: readonly Json[]): Promise<void> {
  for (let start = 0; start < events.length; start += 50) {
    const { status, json } = await service.request("POST", "/plugin/v1/events", {
      token: server.credential,
      body: { events: events.slice(start, start + 50) },
    });
    expect([status, json["stored"]]).toEqual([200, Math.min(50, events.length - start)]);
    clock.advance(100);
  }
}

async function tool(token: string, args: Json, name = "list_server_events") {
  const { text } = await service.request("POST", "/mcp", {
    token,
    headers: { accept: "application/json, text/event-stream" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    },
  });
  const { result } = JSON.parse(text) as {
    result: { content: [{ text: string }]; structuredContent: Json };
  };
  return { raw: text, told: result.content[0].text, structured: result.structuredContent };
}

/** Every text in every field of an event: through the plugin API, and back over both faces. */
async function throughEvents(texts: readonly string[]): Promise<Tally> {
  const tally: Tally = {
    events: 0,
    fields: 0,
    restDiffers: 0,
    hiddenLeft: 0,
    textDiffers: 0,
    changed: 0,
    notRestored: 0,
    rawFrames: 0,
    cut: 0,
  };
  clock.advance(minuteMs);
  const owner = await service.account("pro");
  const server = await service.server(owner);
  const token = await service.token(owner);
  const events = texts.map(eventOf);
  await upload(server, events);
  let cursor: string | null = null;
  do {
    const args = { server_id: server.id, limit: 25, ...(cursor !== null && { cursor }) };
    const query = `?limit=25${cursor === null ? "" : `&cursor=${cursor}`}`;
    const rest = await service.request("GET", `/api/v1/servers/${server.id}/events${query}`, { token });
    const { raw, told, structured } = await tool(token, args);
    if (frames.test(raw) || frames.test(told) || raw.includes("\n")) tally.rawFrames += 1;
    if (JSON.stringify(JSON.parse(told)) !== JSON.stringify(structured)) tally.textDiffers += 1;
    const shown = structured["data"] as Json[];
    const { length } = rowsOf(rest);
    for (const [index, row] of rowsOf(rest).entries()) {
      const { local_id: _local, ...sent } = events[tally.events] ?? {};
      const { id: _id, server_id: _server, ...kept } = row;
      if (JSON.stringify(kept) !== JSON.stringify(sent)) tally.restDiffers += 1;
      tally.events += 1;
      // A page that is too long for a model loses rows at its end, and says so.
      const there = shown[index];
      if (there) judgeRow(tally, sent, there);
    }
    expect(shown.length === length || told.includes("were left out")).toBe(true);
    ({ cursor } = pageOf(rest));
  } while (cursor !== null);
  return tally;
}

const clean = {
  restDiffers: 0,
  hiddenLeft: 0,
  textDiffers: 0,
  notRestored: 0,
  rawFrames: 0,
};

it.skipIf(!hasCorpus)(
  "[TXT-01] [OUR-EVT-05] recorded attack texts in every field of an event: REST byte for byte, nothing hidden from a model",
  async () => {
    const texts = corpus("third_party_text");
    const tally = await throughEvents(texts);
    console.log(`attack texts in events: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ events: texts.length, ...clean });
  },
  300_000,
);

it.skipIf(!hasCorpus)(
  "[TXT-01] recorded harmless texts in every field of an event come back unchanged over both faces",
  async () => {
    const texts = corpus("benign_controls");
    const tally = await throughEvents(texts);
    console.log(`harmless texts in events: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ events: texts.length, ...clean, changed: 0 });
  },
  300_000,
);

it.skipIf(!hasCorpus)(
  "[TXT-01] [OUR-TXT-41] recorded texts as the reason of a maintenance window: REST byte for byte, nothing hidden from a model",
  async () => {
    clock.advance(minuteMs);
    const owner = await service.account("pro");
    const { id: server_id } = await service.server(owner);
    const token = await service.token(owner);
    const path = `/api/v1/servers/${server_id}/maintenance`;
    const tally = {
      taken: 0,
      refused: 0,
      wrong: 0,
      restDiffers: 0,
      hiddenLeft: 0,
      notRestored: 0,
      rawFrames: 0,
    };
    // Three calls a text: every fourth of the recorded attacks is enough here.
    const attacks = corpus("third_party_text").filter((_, index) => index % 4 === 0);
    for (const reason of [...attacks, ...corpus("benign_controls")]) {
      const body = { duration_minutes: 5, reason };
      const { status } = await service.request("POST", path, { token, body });
      // eslint-disable-next-line no-control-regex
      const isTyped = fits(reason, 200) && !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(reason);
      if ((status === 200) !== isTyped) tally.wrong += 1;
      tally[status === 200 ? "taken" : "refused"] += 1;
      if (status !== 200) continue;
      const rest = await service.request("GET", path, { token });
      if (rest.json["reason"] !== reason) tally.restDiffers += 1;
      const { raw, structured } = await tool(token, { server_id }, "get_maintenance");
      const shown = String(structured["reason"]);
      if (hiddenIn(shown).length > 0) tally.hiddenLeft += 1;
      if (frames.test(raw)) tally.rawFrames += 1;
      if (isUncollapsed(reason) && restore(shown) !== reason) tally.notRestored += 1;
    }
    console.log(`recorded texts as reasons: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ wrong: 0, restDiffers: 0, hiddenLeft: 0, notRestored: 0, rawFrames: 0 });
    expect(tally.taken).toBeGreaterThan(500);
  },
  300_000,
);

it("[OUR-TXT-20] [OUR-MCP-07] what others wrote of an event stands at the declared paths alone", async () => {
  clock.advance(minuteMs);
  const { paths } = listServerEventsTool.view.thirdParty;
  expect(paths).toEqual([
    "data[].type",
    "data[].source",
    "data[].title",
    "data[].description",
    "data[].metadata",
  ]);
  const owner = await service.account("pro");
  const server = await service.server(owner);
  const token = await service.token(owner);
  const canary = (field: string): string => `canary-${field}`;
  await upload(server, [
    {
      local_id: canary("local_id"),
      type: canary("type"),
      category: "custom",
      source: canary("source"),
      severity: "error",
      title: canary("title"),
      description: canary("description"),
      metadata: { [canary("metadata")]: [canary("metadata")] },
      [canary("unknown")]: canary("unknown"),
    },
  ]);
  const { structured } = await tool(token, { server_id: server.id });
  const { data, ...rest } = structured;
  expect([...textsIn(rest)].filter((text) => text.includes("canary"))).toEqual([]);
  const [row] = data as Json[];
  const places = Object.entries(row ?? {}).flatMap(([field, value]) =>
    [...textsIn(value)].filter((text) => text.includes("canary")).map((text) => `${field}: ${text}`),
  );
  expect(places).toEqual([
    "type: canary-type",
    "source: canary-source",
    "title: canary-title",
    "description: canary-description",
    "metadata: canary-metadata",
    "metadata: canary-metadata",
  ]);
});
