import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unnarrowed } from "../../../src/mcp/catalogue/narrowing.ts";
import { connector } from "../../../src/mcp/transport/connector.ts";
import { serveStdio } from "../../../src/mcp/transport/stdio.ts";
import { truncateLists } from "../../../src/mcp/result/truncate-lists.ts";
import { seriesFields } from "../../../src/core/metric/fields.ts";
import { prompts } from "../../../resources/prompts/registry.ts";
import { resources } from "../../../resources/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { testGuide } from "../../support/connector.ts";
import type { Json } from "../../support/payload.ts";
import { overRest } from "../../support/over-rest.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { handClock, hourMs } from "../../support/clock.ts";
import { readPng, type Picture } from "./png.ts";

let service: TestService;
let server: LinkedServer;
let token: string;
const clock = handClock(Date.parse("2026-11-20T08:00:00.000Z"));

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  const owner = await service.account("pro");
  server = await service.server(owner);
  token = await service.token(owner);
  const samples = Array.from({ length: 720 }, (_, index) => index)
    .filter((index) => index < 240 || index >= 480)
    .map((index) => ({
      sampled_at: new Date(clock.now() - 6 * hourMs + index * 30_000).toISOString(),
      tps: 20 - (index % 50 === 0 ? 5 : 0),
      mspt: 30 + (index % 7),
      player_count: index % 20,
    }));
  await service.request("POST", "/plugin/v1/samples", { token: server.credential, body: { samples } });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

interface Result {
  readonly content: readonly Block[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
}

type Ask = (args: Json, name?: string) => Promise<Result>;

const overHttp: Ask = async (args, name = "get_server_metrics") => {
  const { text } = await service.request("POST", "/mcp", {
    token,
    headers: { accept: "application/json" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  });
  return (JSON.parse(text) as { result: Result }).result;
};

/** One call through the stdio connector, from its first line to its last. */
const overStdio: Ask = async (args, name = "get_server_metrics") => {
  const report = (error: unknown): never => {
    throw error;
  };
  const backend = overRest({ url: service.service.baseUrl, token, report });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const table = { tools, resources, prompts, guides: [testGuide], wording, version: "1.2.3" };
  const made = connector({ ...table, reportDefect: report });
  const served = serveStdio({ connector: made, backend, narrowing: unnarrowed, input, output, report });
  const answer = new Promise<Result>((resolve) => {
    let text = "";
    output.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.endsWith("\n")) resolve((JSON.parse(text) as { result: Result }).result);
    });
  });
  input.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })}\n`,
  );
  const result = await answer;
  input.end();
  await served;
  await backend.close();
  return result;
};

const six = () => ({ server_id: server.id, range: "6h", fields: ["tps", "mspt", "player_count"] });

describe("points in a tool", () => {
  const points = async (args: Json) => {
    const { content } = await overHttp({ server_id: server.id, range: "6h", ...args });
    return JSON.parse(content[0]?.text ?? "{}") as Json;
  };

  it("[OUR-MET-15] are 12 unless asked otherwise, 30 where they are drawn", async () => {
    expect(await points({ fields: ["tps"] })).toMatchObject({ points_returned: 8, bucket_seconds: 1800 });
    const drawn = { fields: ["tps"], chart: true };
    expect(await points(drawn)).toMatchObject({ points_returned: 24, bucket_seconds: 600 });
    expect(await points({ ...drawn, max_points: 12 })).toMatchObject({ points_returned: 8 });
    expect(await points({ fields: ["tps"], max_points: 100 })).toMatchObject({ points_returned: 48 });
  });

  it("[OUR-MET-15] are 1,200 by the number of fields at most, whatever was asked for", async () => {
    expect(await points({ fields: ["tps"], max_points: 1000 })).toMatchObject({
      points_returned: 480,
      reduced: false,
    });
    const twelve = seriesFields.slice(0, 12);
    expect(await points({ fields: twelve, max_points: 2000 })).toMatchObject({
      points_returned: 48,
      bucket_seconds: 300,
    });
    expect(await points({ max_points: 480 })).toMatchObject({ points_returned: 120, bucket_seconds: 120 });
    expect(await points({ fields: ["tps", "tps", "mspt"], max_points: 2000 })).toMatchObject({
      points_returned: 480,
    });
  });

  it("[OUR-MET-15] outside the endpoint's own range are refused in its words", async () => {
    for (const max_points of [9, 2001, 30.5, "30"]) {
      const { isError, content } = await overHttp({ server_id: server.id, max_points });
      expect([isError, (JSON.parse(content[0]?.text ?? "") as Json)["field"]]).toEqual([true, "max_points"]);
    }
  });
});

const pictureOf = ({ content }: Result): Picture => {
  const [text, image, ...more] = content;
  expect(more).toEqual([]);
  expect([text?.type, image?.type, image?.mimeType]).toEqual(["text", "image", "image/png"]);
  return readPng(Buffer.from(image?.data ?? "", "base64"));
};

/** Where a panel's plot begins and ends, px; the period of these tests is six hours. */
const [left, right] = [64, 882];
const columnAt = (hours: number): number => Math.round(left + (hours / 6) * (right - left));
const panelTop = (index: number): number => 62 + 24 + index * 124;

const isBlue = ([red, , blue]: readonly [number, number, number]): boolean => blue - red > 40;

/** How many pixels of a column of a panel are of the line or band. */
const blueIn = (picture: Picture, panel: number, column: number): number =>
  Array.from({ length: 88 }, (_, row) => picture.at(column, panelTop(panel) + row)).filter(isBlue).length;

describe("the chart", () => {
  it.each([
    ["HTTP", overHttp],
    ["stdio", overStdio],
  ])(
    "[OUR-MET-16] over %s is a PNG behind the text, with a panel for each field and no line in the gap",
    async (_, ask) => {
      const plain = await ask({ ...six(), max_points: 30 });
      const drawn = await ask({ ...six(), chart: true });
      expect(plain.content).toHaveLength(1);
      expect(drawn.content[0]).toEqual(plain.content[0]);
      expect(drawn).not.toHaveProperty("structuredContent");
      expect((await ask({ ...six(), chart: false })).content).toEqual((await ask(six())).content);
      const picture = pictureOf(drawn);
      expect([picture.width, picture.height]).toEqual([940, 62 + 3 * 124 + 34]);
      expect(picture.at(2, 2)).toEqual([255, 255, 255]);
      for (const panel of [0, 1, 2]) {
        for (const hours of [0.5, 1.5, 4.5, 5.5])
          expect(blueIn(picture, panel, columnAt(hours))).toBeGreaterThan(0);
        for (const hours of [2.1, 2.5, 3.5, 3.9]) expect(blueIn(picture, panel, columnAt(hours))).toBe(0);
      }
    },
  );

  it("[OUR-MET-16] is the same picture over both", async () => {
    const [one, two] = [
      await overHttp({ ...six(), chart: true }),
      await overStdio({ ...six(), chart: true }),
    ];
    expect(one.content[1]).toEqual(two.content[1]);
  });

  it.each([
    ["HTTP", overHttp],
    ["stdio", overStdio],
  ])("[OUR-MET-16] over %s is a boolean, taken by no other tool, and drawn of no refusal", async (_, ask) => {
    const refused = async (args: Json, name?: string): Promise<Json> => {
      const { isError, content } = await ask(args, name);
      expect([isError, content.length]).toEqual([true, 1]);
      return JSON.parse(content[0]?.text ?? "") as Json;
    };
    expect(await refused({ ...six(), chart: "true" })).toEqual({
      error: "validation_error",
      message: "chart takes true or false. Send it as a JSON boolean, not as a string.",
      field: "chart",
    });
    expect(await refused({ ...six(), chart: true, colour: "red" })).toMatchObject({ field: "colour" });
    expect(await refused({ server_id: server.id, chart: true }, "get_server_status")).toMatchObject({
      field: "chart",
    });
    expect(await refused({ ...six(), range: "1y", chart: true })).toMatchObject({
      error: "retention_exceeded",
    });
  });

  it("[OUR-MET-16] comes to a real client", async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${service.service.baseUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const client = new Client({ name: "a test", version: "1.0.0" });
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    const result = await client.callTool({
      name: "get_server_metrics",
      arguments: { ...six(), chart: true },
    });
    expect((result.content as Block[]).map(({ type }) => type)).toEqual(["text", "image"]);
    const { tools: listed } = await client.listTools();
    const told = listed.find(({ name }) => name === "get_server_metrics");
    expect(told?.inputSchema.properties).toHaveProperty("chart.type", "boolean");
    expect(told?.annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: false,
    });
    expect(listed.filter(({ inputSchema }) => "chart" in (inputSchema.properties ?? {}))).toHaveLength(1);
    await client.close();
  });
});

it("[OUR-MET-17] shortens the columns of a series together", () => {
  const time = Array.from({ length: 100 }, (_, index) => `2026-11-20T08:${index}`);
  const numbers = time.map((_, index) => index);
  const series = {
    gaps: [1, 2],
    columns: { time, tps: numbers },
    columns_min: { tps: [...numbers] },
    columns_max: null,
  };
  const { others: removed } = truncateLists(series, 500);
  expect(removed).toBeGreaterThan(10);
  expect([time.length, series.columns.tps.length, series.columns_min.tps.length]).toEqual(
    Array.from({ length: 3 }, () => 100 - removed),
  );
  expect(series.gaps).toEqual([1, 2]);
});
