import { expect, it } from "vitest";
import getMemoryReportTool from "../../tools/get-memory-report.ts";
import { longestPreview } from "../../src/mcp/result/preview.ts";
import getProfileTool from "../../tools/get-profile.ts";
import listProfileSummariesTool from "../../tools/list-profile-summaries.ts";
import { memoryPayload, profilePayload } from "../support/captures.ts";
import { attacksFor, corpus, fits, hasCorpus } from "../support/corpus.ts";
import { someOf } from "../support/long.ts";
import type { Json } from "../support/payload.ts";
import { minuteMs } from "../support/clock.ts";
import { served } from "../support/scene.ts";
import { callTool, clean, fresh, judgeAnswer, judgeField } from "./third-party.ts";

const shared = served();
const { clock } = shared;

/** Texts that stand in one document: as many as the shortest list shows. */
const together = 10;

/** The text where a field of `max` characters holds it, else another one that no other field has. */
const held = (text: string, max: number, index: number): string =>
  fits(text, max) && text !== "" ? text : `none ${index}`;

/** What is told of a profile whose frames and owners are the texts, heaviest first. */
const profileTold = (texts: readonly string[]): Json => ({
  engine: held(texts[0] ?? "", 64, 0),
  trigger: held(texts[0] ?? "", 64, 0),
  owners: texts.map((text, index) => held(text, 120, index)),
  methods: texts.map((text, index) => held(text, 500, index)),
});

function profileOf(texts: readonly string[]): Json {
  const { engine, trigger, owners, methods } = profileTold(texts) as {
    engine: string;
    trigger: string;
    owners: string[];
    methods: string[];
  };
  return profilePayload({
    engine,
    trigger,
    frames: methods.map((frame, index) => ({ frame, owner: owners[index] ?? "", plugin: true })),
    nodes: methods.map((_, frame) => ({ parent: -1, frame, samples: 1000 - 10 * frame })),
    samples: {},
  });
}

/** The same places of an answer. */
function profileShown(answer: Json): Json {
  const detail = answer["detail"] as {
    engine: string;
    trigger: string;
    owners: { owner: string }[];
    methods: { method: string }[];
  };
  return {
    engine: detail.engine,
    trigger: detail.trigger,
    owners: detail.owners.map(({ owner }) => owner),
    methods: detail.methods.map(({ method }) => method),
  };
}

/** What is told of a heap whose owners and classes are the texts, and of what holds it. */
const memoryTold = (texts: readonly string[]): Json => ({
  owners: texts.map((text, index) => held(text, 120, index)),
  classes: texts.map((text, index) => held(text, 500, index)),
  suspects: texts.map((text, index) => held(text, 500, index)),
  points: texts.map((text, index) => held(text, 500, index)),
});

function memoryOf(texts: readonly string[]): Json {
  const { owners, classes } = memoryTold(texts) as { owners: string[]; classes: string[] };
  const bytes = (index: number): number => 1_000_000 - 1000 * index;
  const place = (index: number) => ({
    key: classes[index] ?? "",
    class_name: classes[index] ?? "",
    owner: owners[index] ?? "",
    retained_bytes: bytes(index),
  });
  const counted = (index: number) => ({ objects: 1, bytes: bytes(index) });
  return memoryPayload({
    totals: { reachable_bytes: 1_000_000 },
    owners: owners.map((owner, index) => ({ owner, plugin: true, top_classes: [], ...counted(index) })),
    classes: classes.map((class_name, index) => ({
      class_name,
      owner: owners[index],
      objects: 1,
      bytes: bytes(index),
    })),
    suspects: owners.map((_, index) => ({
      ...place(index),
      kind: "single_object",
      instances: 1,
      shallow_bytes: 1,
    })),
    accumulation_points: owners.map((_, index) => place(index)),
    game_objects: null,
  });
}

function memoryShown(answer: Json): Json {
  const diagnosis = answer["diagnosis"] as {
    owners: { owner: string }[];
    classes: { class_name: string }[];
    suspects: { key: string }[];
    accumulation_points: { key: string }[];
  };
  return {
    owners: diagnosis.owners.map(({ owner }) => owner),
    classes: diagnosis.classes.map(({ class_name }) => class_name),
    suspects: diagnosis.suspects.map(({ key }) => key),
    points: diagnosis.accumulation_points.map(({ key }) => key),
  };
}

const kinds = [
  {
    route: "profiles",
    told: profileTold,
    upload: profileOf,
    shown: profileShown,
    tool: "get_profile",
    named: "profile_id",
  },
  {
    route: "memory-reports",
    told: memoryTold,
    upload: memoryOf,
    shown: memoryShown,
    tool: "get_memory_report",
    named: "report_id",
  },
] as const;

/** Every text in profiles and memory reports: through the plugin API, and back over both faces. */
async function throughCaptures(texts: readonly string[]) {
  const tally = { documents: 0, ...fresh() };
  const owner = await shared.service.account("enterprise");
  const server = await shared.service.server(owner);
  const token = await shared.service.token(owner);
  const unique = [...new Set(texts)];
  for (let start = 0; start < unique.length; start += together) {
    const part = unique.slice(start, start + together);
    clock.advance(minuteMs);
    for (const { route, told, upload, shown, tool, named } of kinds) {
      const uploaded = await shared.service.request("POST", `/plugin/v1/${route}`, {
        token: server.credential,
        body: upload(part),
      });
      expect(uploaded.status, uploaded.text).toBe(201);
      const id = String(uploaded.json["profile_id"] ?? uploaded.json["id"]);
      const rest = await shared.service.request("GET", `/api/v1/servers/${server.id}/${route}/${id}`, {
        token,
      });
      const sent = told(part);
      if (JSON.stringify(shown(rest.json)) !== JSON.stringify(sent)) tally.restDiffers += 1;
      const answer = await callTool(shared.service, token, tool, {
        server_id: server.id,
        [named]: id,
        top: longestPreview,
      });
      judgeAnswer(tally, answer);
      const seen = shown(answer.structured);
      for (const [field, value] of Object.entries(sent)) judgeField(tally, value, seen[field]);
      tally.documents += 1;
    }
  }
  return tally;
}

it.skipIf(!hasCorpus)(
  "[TXT-01] recorded attack texts as owners, methods and classes: REST byte for byte, nothing hidden from a model",
  async () => {
    const texts = attacksFor("captures");
    const tally = await throughCaptures(texts);
    console.log(`attack texts in profiles and memory reports: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject(clean);
    expect(tally.documents).toBeGreaterThan((texts.length / together) * kinds.length * 0.9);
  },
);

it.skipIf(!hasCorpus)(
  "[TXT-01] recorded harmless texts as owners, methods and classes come back unchanged over both faces",
  async () => {
    const tally = await throughCaptures(someOf(corpus("benign_controls")));
    console.log(`harmless texts in profiles and memory reports: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ ...clean, changed: 0 });
  },
);

it("what others wrote of a profile and of a heap stands at the declared paths", () => {
  expect(getProfileTool.view.thirdParty.paths).toMatchSnapshot("get_profile");
  expect(listProfileSummariesTool.view.thirdParty.paths).toMatchSnapshot("list_profile_summaries");
  expect(getMemoryReportTool.view.thirdParty.paths).toMatchSnapshot("get_memory_report");
});
