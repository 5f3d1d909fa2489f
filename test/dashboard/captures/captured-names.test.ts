import { afterAll, beforeAll, expect, it } from "vitest";
import { asInSource } from "../../../src/dashboard/pages/captures/code-name.tsx";
import { maxFrames } from "../../../src/core/profile/document.ts";
import { memoryPayload, profilePayload } from "../../support/captures.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import { readHtml } from "../../support/html.ts";
import { startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

const most = 1.5 * 1024 * 1024;
const mostData = 8 * 1024 * 1024;
const markup = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</ol></main><h1>x</h1>",
  "<!--",
];

let service: TestService;
let server: LinkedServer;
let visitor: Visitor;
beforeAll(async () => {
  service = await startTestService();
  const owner = await service.account("enterprise");
  server = await service.server(owner, { name: "Lobby" });
  visitor = await signedIn(service, owner);
});
afterAll(() => service.close());

async function upload(path: string, body: unknown): Promise<string> {
  const { status, json } = await service.request("POST", `/plugin/v1${path}`, {
    token: server.credential,
    body,
  });
  expect(status).toBe(201);
  return String(json["profile_id"] ?? json["id"]);
}

const shown = async (path: string) => {
  const start = performance.now();
  const { status, text } = await visitor.get(`/servers/${server.id}${path}`);
  expect(status).toBe(200);
  return { html: text, ms: Math.round(performance.now() - start) };
};

/** A profile whose frames and owners have these names, one below the other. */
const profileNamed = (names: readonly string[]) =>
  profilePayload({
    frames: names.map((name) => ({ frame: name, owner: name, plugin: true })),
    nodes: names.map((_, index) => ({ parent: index - 1, frame: index, samples: 300 + index })),
    samples: { tick: null, total: null },
  });

it("[OUR-PPG-05] names of frames, owners and classes become text and nothing else", async () => {
  const hostile = [...markup, ...reportedStrings].map((text) => text.slice(0, 100));
  const plain = hostile.map((_, index) => `plain.Name${index}.call`);
  const elements = async (path: string) => readHtml((await shown(path)).html).elements;
  const ids = [
    await upload("/profiles", profileNamed(hostile)),
    await upload("/profiles", profileNamed(plain)),
  ].map((id) => `/profiles/${id}`);
  expect(await elements(ids[0] ?? "")).toEqual(await elements(ids[1] ?? ""));
  const { methods } = JSON.parse((await shown(`${ids[0]}?data=tree`)).html) as { methods: string[] };
  expect(methods).toEqual(expect.arrayContaining(markup.slice(0, 3)));
  expect(methods.filter((name) => /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u.test(name))).toEqual([]);
  const memory = (name: string) =>
    memoryPayload({ owners: [{ owner: name, plugin: true, bytes: 5, objects: 1, top_classes: [] }] });
  const reports: string[] = [];
  for (const name of ["Plain", ...markup]) reports.push(await upload("/memory-reports", memory(name)));
  const seen = [];
  for (const id of reports) seen.push((await elements(`/memory-reports/${id}`)).join(" "));
  expect(new Set(seen).size).toBe(1);
});

it("[OUR-PPG-04] the page of the largest profile is below 1.5 MB, and its tree below 8 MB, whatever its names are", async () => {
  const wide = {
    frames: Array.from({ length: maxFrames }, (_, index) => ({
      frame: `net.example.C${index}.m`,
      owner: null,
    })),
    nodes: Array.from({ length: maxFrames }, (_, index) => ({
      parent: index === 0 ? -1 : Math.floor((index - 1) / 3),
      frame: index,
      samples: 1,
    })),
  };
  const quotes = (index: number) => `${'"'.repeat(494)}${index}`;
  const nasty = {
    frames: Array.from({ length: 5000 }, (_, index) => ({
      frame: quotes(index),
      owner: quotes(index).slice(-120),
      plugin: true,
    })),
    nodes: Array.from({ length: 5000 }, (_, index) => ({
      parent: index < 2000 ? index - 1 : index % 2000,
      frame: index,
      samples: index > 4000 ? 1000 : 400,
    })),
  };
  // Every second character is hidden, and is written out; every frame has an owner of its own.
  const hidden = {
    frames: Array.from({ length: 20_000 }, (_, index) => ({
      frame: `${"a\u200b".repeat(60)}${index}`,
      owner: `${"b\u200b".repeat(50)}${index}`,
      plugin: true,
    })),
    nodes: Array.from({ length: 20_000 }, (_, index) => ({
      parent: index === 0 ? -1 : Math.floor((index - 1) / 3),
      frame: index,
      samples: 1,
    })),
  };
  for (const [which, tree] of Object.entries({ wide, nasty, hidden })) {
    const id = await upload("/profiles", profilePayload({ ...tree, samples: { tick: null, total: null } }));
    const { html, ms } = await shown(`/profiles/${id}`);
    const bytes = Buffer.byteLength(html);
    console.log(`${which}: ${tree.frames.length} frames, page of ${bytes} bytes in ${ms} ms`);
    expect(bytes).toBeLessThan(most);
    const { html: sent, ms: sentMs } = await shown(`/profiles/${id}?data=tree`);
    console.log(`${which}: tree of ${Buffer.byteLength(sent)} bytes in ${sentMs} ms`);
    expect(Buffer.byteLength(sent)).toBeLessThan(mostData);
  }
});

it.each([
  ["[B", "byte[]"],
  ["[[J", "long[][]"],
  ["[Ljava.lang.String;", "java.lang.String[]"],
  ["[B (java.base@21.0.12)", "byte[] (java.base@21.0.12)"],
  ["java.lang.String", "java.lang.String"],
  ["[Because", "[Because"],
  ["[<script>", "[<script>"],
])("[OUR-PPG-17] the class %s is named %s", (sent, shown) => {
  expect(asInSource(sent)).toBe(shown);
});
