import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { exampleUpload } from "../../src/endpoints/plugin/example-upload.ts";
import { attacksFor, corpus, fits, hasCorpus } from "../support/corpus.ts";
import { someOf } from "../support/long.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";
import { handClock, minuteMs } from "../support/clock.ts";

let service: TestService;
let owner: Account;
let token: string;
let server: LinkedServer;
const clock = handClock();

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  owner = await service.account("enterprise");
  token = await service.token(owner);
  server = await service.server(owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

interface Found {
  texts: number;
  kept: number;
  refused: number;
  wronglyRefused: number;
  wronglyTaken: number;
  differ: number;
  breakSchema: number;
}

/** What came back for one text: null where it was refused. */
interface Sent {
  readonly status: number;
  readonly back: { readonly text: unknown; readonly route: string; readonly answer: Answer } | null;
}

const texts = hasCorpus ? [...attacksFor("read-back"), ...someOf(corpus("benign_controls"))] : [];

const outputs = new Map(apiEndpoints.map(({ id, output }) => [id, output]));

async function roundTrip(max: number, send: (text: string, index: number) => Promise<Sent>): Promise<Found> {
  const found: Found = {
    texts: 0,
    kept: 0,
    refused: 0,
    wronglyRefused: 0,
    wronglyTaken: 0,
    differ: 0,
    breakSchema: 0,
  };
  for (const [index, text] of texts.entries()) {
    clock.advance(minuteMs);
    found.texts += 1;
    const { status, back } = await send(text, index);
    if (back && outputs.get(back.route)?.safeParse(back.answer.json).success !== true) found.breakSchema += 1;
    const taken = status < 300;
    if (taken !== fits(text, max)) found[taken ? "wronglyTaken" : "wronglyRefused"] += 1;
    else if (!taken) found.refused += 1;
    else if (typeof back?.text === "string" && Buffer.from(back.text).equals(Buffer.from(text)))
      found.kept += 1;
    else found.differ += 1;
  }
  return found;
}

const expectAllKept = (found: Found): void => {
  expect(found.texts).toBe(texts.length);
  expect(found).toMatchObject({
    wronglyRefused: 0,
    wronglyTaken: 0,
    differ: 0,
    breakSchema: 0,
    kept: found.texts - found.refused,
  });
};

describe.skipIf(!hasCorpus)("text nobody here wrote, through the plugin API and back over REST", () => {
  it("[TXT-01] report descriptions come back byte for byte; what is too long is refused", async () => {
    const payload = (description: string, index: number) => ({
      ...exampleUpload,
      local_id: `text-${index}`,
      description,
    });
    const found = await roundTrip(4000, async (text, index) => {
      const { status, json } = await service.request("POST", "/plugin/v1/reports", {
        token: server.credential,
        body: payload(text, index),
      });
      if (status >= 300) return { status, back: null };
      const answer = await service.request("GET", `/api/v1/reports/${String(json["id"])}`, { token });
      return { status, back: { text: answer.json["description"], route: "reports.get", answer } };
    });
    console.log("report descriptions:", found);
    expectAllKept(found);
  });

  it("[TXT-01] server names of the plugin's link come back byte for byte; what is longer than 80 is refused", async () => {
    let linked = 0;
    let reader = token;
    const found = await roundTrip(80, async (text, index) => {
      const installation_id = `6f1c0c52-8a39-4c5e-9d5b-${(0xa0_0000 + index).toString(16).padStart(12, "0")}`;
      const { status, json } = await service.request("POST", "/plugin/v1/link-codes", {
        body: { installation_id, server: { name: text } },
      });
      if (status >= 300) return { status, back: null };
      if (linked % 400 === 0) reader = await service.token(await service.account());
      linked += 1;
      const made = await service.request("POST", "/api/v1/servers/link", {
        token: reader,
        body: { code: json["code"] },
      });
      const answer = await service.request("GET", "/api/v1/servers?limit=1", { token: reader });
      const [row] = rowsOf(answer);
      expect(row?.["id"]).toBe(made.json["id"]);
      return { status: made.status, back: { text: row?.["name"], route: "servers.list", answer } };
    });
    console.log("server names:", found);
    expectAllKept(found);
  });
});
