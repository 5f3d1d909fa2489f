import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type TestService,
} from "../../support/service.ts";
import { dayMs, handClock, minuteMs } from "../../support/clock.ts";

let service: TestService;
const clock = handClock();

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const link = (token: string, body: unknown): Promise<Answer> =>
  service.request("POST", "/api/v1/servers/link", { token, body });
const claim = (claimSecret: string): Promise<Answer> =>
  service.request("POST", "/plugin/v1/link-codes/claim", { body: { claim_secret: claimSecret } });
const beat = (token: string): Promise<Answer> =>
  service.request("POST", "/plugin/v1/heartbeat", {
    token,
    body: { sent_at: new Date(clock.now()).toISOString(), plugin_version: "1" },
  });
const stranger = async (): Promise<string> => service.token(await service.account());

describe("link codes", () => {
  it("[SRV-16] [SRV-17] [SRV-15] the first use is 201, the same code again 200 with the same server, in lower case too", async () => {
    const token = await stranger();
    const { code } = await service.linkCode({ name: "From the plugin", address: "192.0.2.1", port: 25_565 });
    const first = await link(token, { code: code.toLowerCase(), name: "Mine" });
    expect([first.status, first.json["name"], first.json["owned_by_you"], first.json["address"]]).toEqual([
      201,
      "Mine",
      true,
      null,
    ]);
    for (const again of [{ code }, { code: code.toLowerCase(), name: "Another" }]) {
      const { status, text } = await link(token, again);
      expect([status, text]).toEqual([200, first.text]);
    }
    expect(rowsOf(await service.request("GET", "/api/v1/servers", { token }))).toHaveLength(1);
  });

  it("[OUR-ALR-130] a new server that is monitored gets its first rule, once", async () => {
    const token = await stranger();
    const { code } = await service.linkCode({});
    const { json } = await link(token, { code });
    await link(token, { code });
    const path = `/api/v1/servers/${json["id"] as string}/event-alert-rules`;
    expect(rowsOf(await service.request("GET", path, { token }))).toMatchObject([
      { name: "Down or hanging", event_types: ["health_changed"], min_severity: "error", enabled: true },
    ]);
  });

  it("[SRV-16] without a name the plugin's stands, else null", async () => {
    const token = await stranger();
    expect(
      (await link(token, { code: (await service.linkCode({ name: "From the plugin" })).code })).json["name"],
    ).toBe("From the plugin");
    expect((await link(token, { code: (await service.linkCode({})).code })).json["name"]).toBeNull();
  });

  it("[SRV-18] [ERR-02] [ERR-19] a fresh code of a linked installation is 409 with the server, and is not used up", async () => {
    const token = await stranger();
    const installation = randomUUID();
    const { code } = await service.linkCode({}, installation);
    const id = (await link(token, { code })).json["id"];
    const fresh = await service.linkCode({}, installation);
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await link(token, { code: fresh.code });
      expect([status, json["error"], json["server_id"]]).toEqual([409, "already_linked", id]);
    }
    expect((await claim(fresh.claimSecret)).json).toEqual({ status: "pending" });
  });

  it("[NEV-04] [ACC-26] unknown, foreign, replaced and expired codes, and installations of others, are one and the same 404", async () => {
    const [owner, token] = [await stranger(), await stranger()];
    const installation = randomUUID();
    const used = await service.linkCode({}, installation);
    await link(owner, { code: used.code });
    const relink = await service.linkCode({}, installation);
    const twice = randomUUID();
    const replaced = await service.linkCode({}, twice);
    await service.linkCode({}, twice);
    const expired = await service.linkCode();
    clock.advance(15 * minuteMs);
    const foreign = await service.linkCode({}, installation);
    const answers = [];
    for (const code of [
      "ZZZZZZZZ",
      "IIIIOOOO",
      used.code,
      foreign.code,
      relink.code,
      replaced.code,
      expired.code,
    ])
      answers.push(await link(token, { code }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await claim(expired.claimSecret)).status).toBe(404);
  });

  it("[OUR-PLG-01] the credential is given again until its first use, each time in place of the last one", async () => {
    const token = await stranger();
    const { code, claimSecret } = await service.linkCode();
    expect((await claim(claimSecret)).json).toEqual({ status: "pending" });
    const { json } = await link(token, { code });
    const [lost, kept] = [await claim(claimSecret), await claim(claimSecret)];
    expect([lost.json["status"], kept.json["server_id"]]).toEqual(["linked", json["id"]]);
    expect((await beat(String(lost.json["auth_token"]))).json["error"]).toBe("token_revoked");
    expect(rowsOf(await service.request("GET", "/api/v1/servers", { token }))[0]).toMatchObject({
      verified: false,
    });
    expect((await beat(String(kept.json["auth_token"]))).json["accepted"]).toBe(true);
    expect(rowsOf(await service.request("GET", "/api/v1/servers", { token }))[0]).toMatchObject({
      verified: true,
      verified_at: new Date(clock.now()).toISOString(),
    });
    const late = await claim(claimSecret);
    expect([late.status, late.json["error"]]).toEqual([404, "not_found"]);
  });

  it("[OUR-PLG-02] an address gets 60 codes an hour", async () => {
    clock.advance(60 * minuteMs);
    const ask = () =>
      service.request("POST", "/plugin/v1/link-codes", { body: { installation_id: randomUUID() } });
    for (let code = 0; code < 60; code += 1) expect((await ask()).json).toHaveProperty("claim_secret");
    const { status, json, headers } = await ask();
    expect([status, json["error"], headers["retry-after"]]).toEqual([429, "rate_limited", "3600"]);
    clock.advance(60 * minuteMs);
    expect((await ask()).json).toHaveProperty("claim_secret");
  });
});

describe("creations sent twice", () => {
  const make = (token: string, body: unknown, key?: string): Promise<Answer> =>
    service.request("POST", "/api/v1/server-groups", {
      token,
      body,
      ...(key !== undefined && { headers: { "idempotency-key": key } }),
    });

  it("[ACC-32] [OUR-HTTP-08] the same key and body answer what the first call made, for 24 hours, to that account alone", async () => {
    const [token, other] = [await stranger(), await stranger()];
    const first = await make(token, { name: "A", color: "red" }, "one");
    expect(first.status).toBe(201);
    const again = await make(token, { color: "red", name: "A" }, "one");
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await make(other, { name: "A" }, "one")).status).toBe(201);
    const mismatch = await make(token, { name: "B" }, "one");
    expect([mismatch.status, mismatch.json["error"]]).toEqual([409, "idempotency_mismatch"]);
    clock.advance(dayMs);
    expect((await make(token, { name: "B" }, "one")).status).toBe(201);
  });

  it("[OUR-HTTP-08] without a key the same body answers for ten minutes, as long as what it made stands unchanged", async () => {
    const token = await stranger();
    const first = await make(token, { name: "A" });
    clock.advance(10 * minuteMs - 1);
    expect([first.status, (await make(token, { name: "A" })).text]).toEqual([201, first.text]);
    clock.advance(1);
    const second = await make(token, { name: "A" });
    expect([second.status, second.json["id"] === first.json["id"]]).toEqual([201, false]);
    await service.request("PATCH", `/api/v1/server-groups/${String(second.json["id"])}`, {
      token,
      body: { sort_order: 7 },
    });
    const third = await make(token, { name: "A" });
    expect([third.status, third.json["id"] === second.json["id"]]).toEqual([201, false]);
  });

  it("[OUR-HTTP-08] a key is 1 to 128 printable ASCII characters", async () => {
    const token = await stranger();
    for (const key of ["", "x".repeat(129), "a\tb", "\u00e9"]) {
      const { status, json } = await make(token, { name: "K" }, key);
      expect([key, status, json["error"], json["field"]]).toEqual([
        key,
        400,
        "validation_error",
        "Idempotency-Key",
      ]);
    }
    for (const key of ["x".repeat(128), "!", "a b~"])
      expect((await make(token, { name: `K${key.length}` }, key)).status).toBe(201);
    expect((await make(token, { name: 7 }, "")).json["field"]).toBe("name");
  });

  it("[SRV-19] [ERR-22] a twenty-first group is 409, and a replay of the twentieth still 200", async () => {
    const token = await stranger();
    for (let group = 1; group <= 20; group += 1)
      expect((await make(token, { name: `G${group}` })).status).toBe(201);
    const { status, json } = await make(token, { name: "G21" });
    expect([status, json["error"]]).toEqual([409, "quota_exceeded"]);
    expect((await make(token, { name: "G20" })).status).toBe(200);
  });

  it("[SRV-22] [ACC-32] the same PUT and PATCH again leave the same answer", async () => {
    const owner = await service.account();
    const token = await service.token(owner);
    const { id } = await service.server(owner);
    const group = (await make(token, { name: "A" })).json["id"];
    for (const [method, path, body] of [
      ["PUT", `/servers/${id}/group`, { group_id: group }],
      ["PATCH", `/servers/${id}`, { name: "B", is_public: true }],
    ] as const) {
      const send = () => service.request(method, `/api/v1${path}`, { token, body });
      const [first, again] = [await send(), await send()];
      expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    }
  });
});
