import { expect, it } from "vitest";
import { restore } from "../../src/core/text/neutralise.ts";
import listServerEventsTool from "../../tools/list-server-events.ts";
import { attacksFor, corpus, fits, hasCorpus, hiddenIn, isUncollapsed } from "../support/corpus.ts";
import { someOf } from "../support/long.ts";
import type { Json } from "../support/payload.ts";
import { pageOf, rowsOf, type LinkedServer } from "../support/service.ts";
import { minuteMs } from "../support/clock.ts";
import { served } from "../support/scene.ts";
import { callTool, clean, frames, fresh, judgeAnswer, judgeField, textsIn } from "./third-party.ts";

const shared = served();
const { clock } = shared;

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

async function upload(server: LinkedServer, events: readonly Json[]): Promise<void> {
  for (let start = 0; start < events.length; start += 50) {
    const { status, json } = await shared.service.request("POST", "/plugin/v1/events", {
      token: server.credential,
      body: { events: events.slice(start, start + 50) },
    });
    expect([status, json["stored"]]).toEqual([200, Math.min(50, events.length - start)]);
    clock.advance(100);
  }
}

/** The fields of it that hold what others wrote. */
const written = ["type", "source", "title", "description", "metadata"];

/** Every text in every field of an event: through the plugin API, and back over both faces. */
async function throughEvents(texts: readonly string[]) {
  const tally = { events: 0, ...fresh() };
  clock.advance(minuteMs);
  const owner = await shared.service.account("pro");
  const server = await shared.service.server(owner);
  const token = await shared.service.token(owner);
  const events = texts.map(eventOf);
  await upload(server, events);
  let cursor: string | null = null;
  do {
    const args = { server_id: server.id, limit: 25, ...(cursor !== null && { cursor }) };
    const query = `?limit=25${cursor === null ? "" : `&cursor=${cursor}`}`;
    const rest = await shared.service.request("GET", `/api/v1/servers/${server.id}/events${query}`, {
      token,
    });
    const answer = await callTool(shared.service, token, "list_server_events", args);
    judgeAnswer(tally, answer);
    const shown = answer.structured["data"] as Json[];
    const { length } = rowsOf(rest);
    for (const [index, row] of rowsOf(rest).entries()) {
      const { local_id: _local, ...sent } = events[tally.events] ?? {};
      const { id: _id, server_id: _server, ...kept } = row;
      if (JSON.stringify(kept) !== JSON.stringify(sent)) tally.restDiffers += 1;
      tally.events += 1;
      // A page that is too long for a model loses rows at its end, and says so.
      const there = shown[index];
      if (there) for (const field of written) judgeField(tally, sent[field], there[field]);
    }
    expect(shown.length === length || answer.told.includes("were left out")).toBe(true);
    ({ cursor } = pageOf(rest));
  } while (cursor !== null);
  return tally;
}

it.skipIf(!hasCorpus)(
  "[TXT-01] [OUR-EVT-05] recorded attack texts in every field of an event: REST byte for byte, nothing hidden from a model",
  async () => {
    const texts = attacksFor("events");
    const tally = await throughEvents(texts);
    console.log(`attack texts in events: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ events: texts.length, ...clean });
  },
);

it.skipIf(!hasCorpus)(
  "[TXT-01] recorded harmless texts in every field of an event come back unchanged over both faces",
  async () => {
    const texts = someOf(corpus("benign_controls"));
    const tally = await throughEvents(texts);
    console.log(`harmless texts in events: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ events: texts.length, ...clean, changed: 0 });
  },
);

it.skipIf(!hasCorpus)(
  "[TXT-01] [OUR-TXT-41] recorded texts as the reason of a maintenance window: REST byte for byte, nothing hidden from a model",
  async () => {
    clock.advance(minuteMs);
    const owner = await shared.service.account("pro");
    const { id: server_id } = await shared.service.server(owner);
    const token = await shared.service.token(owner);
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
    for (const reason of [...attacksFor("reasons"), ...someOf(corpus("benign_controls"))]) {
      const body = { duration_minutes: 5, reason };
      const { status } = await shared.service.request("POST", path, { token, body });
      // eslint-disable-next-line no-control-regex
      const isTyped = fits(reason, 200) && !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(reason);
      if ((status === 200) !== isTyped) tally.wrong += 1;
      tally[status === 200 ? "taken" : "refused"] += 1;
      if (status !== 200) continue;
      const rest = await shared.service.request("GET", path, { token });
      if (rest.json["reason"] !== reason) tally.restDiffers += 1;
      const { raw, structured } = await callTool(shared.service, token, "get_maintenance", { server_id });
      const shown = String(structured["reason"]);
      if (hiddenIn(shown).length > 0) tally.hiddenLeft += 1;
      if (frames.test(raw)) tally.rawFrames += 1;
      if (isUncollapsed(reason) && restore(shown) !== reason) tally.notRestored += 1;
    }
    console.log(`recorded texts as reasons: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ wrong: 0, restDiffers: 0, hiddenLeft: 0, notRestored: 0, rawFrames: 0 });
    expect(tally.taken).toBeGreaterThan(200);
  },
);

it("[OUR-MCP-07] what others wrote of an event stands at the declared paths alone", async () => {
  clock.advance(minuteMs);
  const { paths } = listServerEventsTool.view.thirdParty;
  expect(paths).toEqual([
    "data[].type",
    "data[].source",
    "data[].title",
    "data[].description",
    "data[].metadata",
  ]);
  const owner = await shared.service.account("pro");
  const server = await shared.service.server(owner);
  const token = await shared.service.token(owner);
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
  const { structured } = await callTool(shared.service, token, "list_server_events", {
    server_id: server.id,
  });
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
