import { selectServers } from "../../../src/store/server/servers.ts";
import { intercepting } from "../../support/intercept.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { Server, type ServerRecord } from "../../../src/core/server/server.ts";
import { createServerGroup } from "../../../src/endpoints/api/server/create-server-group.ts";
import { listServerGroups } from "../../../src/endpoints/api/server/list-server-groups.ts";
import { getServerStatus } from "../../../src/endpoints/api/server/get-server-status.ts";
import { linkServer } from "../../../src/endpoints/api/server/link-server.ts";
import { listServers } from "../../../src/endpoints/api/server/list-servers.ts";
import { updateServer } from "../../../src/endpoints/api/server/update-server.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";

let test: TestApp;
let faces: Faces;
let owner: Account;
let server: ServerRecord;
let secret: string;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  secret = (await test.token(owner)).secret;
  server = await test.server(owner, { name: "Lobby", address: "mc.example.org", port: 25565 });
});

afterAll(async () => {
  await faces.http.close();
  await test.close();
});

describe("servers", () => {
  it("[SRV-09] [SRV-10] show exactly the documented fields, in order", async () => {
    const { body } = await faces.rest(listServers, {}, secret);
    const [first] = body["data"] as object[];
    expect(Object.keys(first ?? {})).toEqual(Object.keys(Server.shape));
    expect(first).toMatchObject({
      id: server.id,
      name: "Lobby",
      owned_by_you: true,
      verified: false,
      notify_on_report: true,
      port: 25565,
    });
  });

  it("[SRV-12] show their address only while their owner lets them", async () => {
    const address = async () =>
      ((await faces.rest(listServers, {}, secret)).body["data"] as { address: string | null }[])[0]?.address;
    expect(await address()).toBeNull();
    await faces.rest(updateServer, { server_id: server.id, show_address_on_report: true }, secret);
    expect(await address()).toBe("mc.example.org");
    await faces.rest(updateServer, { server_id: server.id, show_address_on_report: false }, secret);
    expect(await address()).toBeNull();
  });

  it("[SRV-14] are renamed by their owner alone: an admin is told not_owner, anybody else not_found", async () => {
    const rename = async (account: Account) => {
      const token = await test.token(account);
      return (await faces.rest(updateServer, { server_id: server.id, name: "Mine now" }, token.secret)).body[
        "error"
      ];
    };
    expect(await rename(await test.account("enterprise", "admin"))).toBe("not_owner");
    expect(await rename(await test.account("pro"))).toBe("not_found");
  });

  it("[STA-01] [ERR-17] tell their status to their owner alone, an admin included", async () => {
    const ask = async (account: Account) =>
      (await faces.rest(getServerStatus, { server_id: server.id }, (await test.token(account)).secret))
        .status;
    expect(await ask(owner)).toBe(200);
    expect(await ask(await test.account("enterprise", "admin"))).toBe(404);
    expect(await ask(await test.account("pro"))).toBe(404);
  });

  it("[SRV-03] are linked by the code their plugin printed", async () => {
    const response = await faces.http.inject({
      method: "POST",
      url: "/plugin/v1/link-codes",
      headers: { "content-type": "application/json" },
      payload: {
        installation_id: "6f1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b11",
        server: { name: "From the plugin" },
      },
    });
    const { code } = response.json<{ code: string }>();
    const link = await faces.rest(linkServer, { code }, secret);
    expect(link).toMatchObject({ status: 201, body: { name: "From the plugin", owned_by_you: true } });
  });
});

describe("groups", () => {
  it("[SRV-21] take no colour from a name outside the palette", async () => {
    expect(
      (await faces.rest(createServerGroup, { name: "A", color: "mauve" }, secret)).body["color"],
    ).toBeNull();
    expect((await faces.rest(createServerGroup, { name: "B", color: "teal" }, secret)).body["color"]).toBe(
      "teal",
    );
    expect((await faces.rest(listServerGroups, {}, secret)).body["page"]).toEqual({
      cursor: null,
      has_more: false,
    });
  });
});

describe("calls", () => {
  it("[ACC-03] are made with a bearer token: a cookie counts for nothing", async () => {
    const response = await faces.http.inject({
      url: "/api/v1/servers",
      headers: { cookie: `session=${secret}; token=${secret}` },
    });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ error: "unauthorized" });
  });

  it("[ERR-08] without a token are told that they need one", async () => {
    expect((await faces.rest(listServers, {}, null)).body["error"]).toBe("unauthorized");
  });

  it("[ERR-07] with a cursor that was tampered with are refused", async () => {
    await test.server(owner, { name: "Second" });
    const { body } = await faces.rest(listServers, { limit: 1 }, secret);
    const { cursor } = body["page"] as { cursor: string };
    expect((await faces.rest(listServers, { limit: 2, cursor }, secret)).status).toBe(200);
    const forged = (cursor.startsWith("A") ? "B" : "A") + cursor.slice(1);
    expect(await faces.rest(listServers, { cursor: forged }, secret)).toMatchObject({
      status: 400,
      body: { error: "invalid_cursor" },
    });
    expect(await faces.rest(listServers, { cursor, verified: true }, secret)).toMatchObject({
      status: 400,
      body: { error: "invalid_cursor" },
    });
  });
});

describe("limits and defects", () => {
  it("[ERR-25] a token over its hour is told how long to wait", async () => {
    const tight = testApp({ plans: { pro: { hourly_calls: 1 } } });
    const both = facesOf(tight.app);
    const token = await tight.token(await tight.account("pro"));
    expect((await both.rest(listServers, {}, token.secret)).status).toBe(200);
    const refused = await both.rest(listServers, {}, token.secret);
    expect(refused).toMatchObject({
      status: 429,
      body: { error: "rate_limited" },
      headers: { "retry-after": "3600" },
    });
    await both.http.close();
    await tight.close();
  });

  it("[OUR-ERR-02] a defect is reported to the operator, and the caller learns a request id and nothing else", async () => {
    const broken = testApp({ plans: roomy });
    const db = intercepting(broken.app.db, selectServers, () => Promise.reject(new Error("secret detail")));
    const both = facesOf({ ...broken.app, db });
    const token = await broken.token(await broken.account("pro"));
    const { status, body, headers } = await both.rest(listServers, {}, token.secret);
    expect(status).toBe(500);
    expect(Object.keys(body)).toEqual(["error", "message", "request_id"]);
    expect(body).toMatchObject({ error: "internal_error", request_id: headers["x-request-id"] });
    expect(JSON.stringify(body)).not.toContain("secret detail");
    expect(broken.defects).toHaveLength(1);
    await both.http.close();
    await broken.close();
  });
});
