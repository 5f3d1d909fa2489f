import { selectInbox } from "../../../src/store/notice/notices.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { scopes } from "../../../src/core/access/scope.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { compareReports } from "../../../src/endpoints/api/report/compare-reports.ts";
import { getReport } from "../../../src/endpoints/api/report/get-report.ts";
import { listReports } from "../../../src/endpoints/api/report/list-reports.ts";
import { linkServer } from "../../../src/endpoints/api/server/link-server.ts";
import { updateServer } from "../../../src/endpoints/api/server/update-server.ts";
import { updateReport } from "../../../src/endpoints/api/report/update-report.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { referencePayload, type Json } from "../../support/payload.ts";
import { credentialedServer } from "../auto-bench/auto-benching.ts";

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
  server = await test.server(owner, { name: "Lobby" });
});

afterAll(async () => {
  await faces.http.close();
  await test.close();
});

describe("reports", () => {
  it("[REP-02] [PAG-07] open by full and by short id, the same", async () => {
    const { id, shortId } = await test.report(server);
    const byFull = await faces.rest(getReport, { report_id: id }, secret);
    const byShort = await faces.rest(getReport, { report_id: shortId }, secret);
    expect(byFull.body).toMatchObject({ id, short_id: shortId, scores: { total: 1091 }, rank_badge: "gold" });
    expect(byShort.body).toEqual(byFull.body);
  });

  it("[ACC-20] can be listed without a token, but not with one that lacks the scope", async () => {
    const blind = await test.token(
      owner,
      scopes.filter((scope) => scope !== "reports:read"),
    );
    expect((await faces.rest(listReports, {}, null)).status).toBe(200);
    expect(await faces.rest(listReports, {}, blind.secret)).toMatchObject({
      status: 403,
      body: { required_scope: "reports:read" },
    });
    const own = (await faces.rest(listReports, {}, secret)).body["data"] as { visibility: string }[];
    expect(own.map(({ visibility }) => visibility)).toContain("private");
  });

  it("[CMP-01] are compared when the caller sees both, and not when it sees one", async () => {
    const base = await test.report(server, {}, "public");
    const other = await test.report(server, {}, "private");
    const input = { base: base.shortId, other: other.id };
    expect((await faces.rest(compareReports, input, secret)).body).toMatchObject({
      comparable: true,
      summary: { outcome: "tie" },
    });
    expect(await faces.rest(compareReports, input, null)).toMatchObject({
      status: 404,
      body: { error: "not_found" },
    });
  });
});

describe("a new report", () => {
  it("[OUR-ALR-51] [OUR-PLG-06] [SRV-11] is told its owner in-app once, however often it is sent, unless the server's are not told", async () => {
    const author = await test.account("pro");
    const { id, credential } = await credentialedServer(test, author);
    const send = async (localId: string): Promise<number> => {
      const headers = { authorization: `Bearer ${credential}` };
      const payload = referencePayload({ local_id: localId });
      return (await faces.http.inject({ method: "POST", url: "/plugin/v1/reports", headers, payload }))
        .statusCode;
    };
    const told = () => test.app.db.read(selectInbox, author.id, null, 100);
    expect([await told(), await send("first")]).toEqual([[], 201]);
    const once = await told();
    expect(once).toMatchObject([
      {
        kind: "report",
        serverId: id,
        createdAt: test.clock.now,
        message: {
          title: "New report of a server without a name",
          lines: ["Mode: standard", "Total score: 1091"],
        },
      },
    ]);
    test.clock.advance(60_000);
    expect(await Promise.all(["first", "first", "first"].map(send))).toEqual([200, 200, 200]);
    expect(await told()).toEqual(once);
    const together = await Promise.all(["second", "second", "second"].map(send));
    expect(together.toSorted()).toEqual([200, 200, 201]);
    expect((await told()).map(({ kind }) => kind)).toEqual(["report", "report"]);
    const own = (await test.token(author)).secret;
    await faces.rest(updateServer, { server_id: id, notify_on_report: false }, own);
    expect([await send("third"), (await told()).length]).toEqual([201, 2]);
  });
});

describe("editing a report", () => {
  const plugin = async (path: string, payload: object, credential?: string): Promise<Json> => {
    const headers = {
      "content-type": "application/json",
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    };
    return (
      await faces.http.inject({ method: "POST", url: `/plugin/v1${path}`, headers, payload })
    ).json<Json>();
  };

  /** A report of the owner's on a server that another account holds now, verified by its plugin. */
  async function held(): Promise<{ reportId: string; holder: string }> {
    const holder = (await test.token(await test.account("pro"))).secret;
    const code = await plugin("/link-codes", { installation_id: "6f1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b99" });
    const link = await faces.rest(linkServer, { code: code["code"] }, holder);
    const { auth_token } = await plugin("/link-codes/claim", { claim_secret: code["claim_secret"] });
    await plugin(
      "/heartbeat",
      { sent_at: new Date(test.clock.now).toISOString(), plugin_version: "1.10.2" },
      String(auth_token),
    );
    const { id } = await test.report({ ...server, id: String(link.body["id"]), accountId: owner.id });
    return { reportId: id, holder };
  }

  it("[REP-25] leaves the holder of its verified server the description, and its author the rest", async () => {
    const { reportId, holder } = await held();
    expect(
      (await faces.rest(updateReport, { report_id: reportId, description: "Now ours." }, holder)).body[
        "description"
      ],
    ).toBe("Now ours.");
    for (const change of [
      { visibility: "public" },
      { private_notes: "x" },
      { description: "y", private_notes: "x" },
    ]) {
      expect(await faces.rest(updateReport, { report_id: reportId, ...change }, holder)).toMatchObject({
        status: 403,
        body: { error: "not_owner" },
      });
    }
    expect(
      (await faces.rest(updateReport, { report_id: reportId, visibility: "unlisted" }, secret)).body[
        "visibility"
      ],
    ).toBe("unlisted");
  });
});
