import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { certify } from "../../rest/rows.ts";

const fourLinks = "https://a.example ".repeat(4);

let service: TestService;
let author: Account;
let token: string;
let server: LinkedServer;

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  author = await service.account();
  token = await service.token(author);
  server = await service.server(author);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const patch = (id: string, body: unknown, as: string | null = token): Promise<Answer> =>
  service.request("PATCH", `/api/v1/reports/${id}`, { token: as, body });
const get = (id: string, as: string | null = token): Promise<Answer> =>
  service.request("GET", `/api/v1/reports/${id}`, { token: as });
const listed = async (as: string | null, query = ""): Promise<unknown[]> =>
  rowsOf(await service.request("GET", `/api/v1/reports?limit=100${query}`, { token: as })).map(
    (row) => row["id"],
  );

describe("what may not be written", () => {
  it("[REP-24] more than three links are refused with the limit, at publication those already there too", async () => {
    const { id } = await service.report(server, { description: fourLinks });
    const edited = await patch(id, { description: fourLinks });
    expect([edited.status, edited.json["error"], edited.json["limit"]]).toEqual([400, "too_many_links", 3]);
    expect((await patch(id, { visibility: "public" })).json["error"]).toBe("too_many_links");
    expect(
      (await patch(id, { visibility: "public", description: "https://a.example and https://b.example" }))
        .status,
    ).toBe(200);
    expect((await patch(id, { description: "fuck this" })).json["error"]).toBe("text_rejected");
    expect((await patch(id, { visibility: "private", description: null })).json["description"]).toBeNull();
  });

  it("[REP-24] links are counted before words are judged", async () => {
    const { id } = await service.report(server);
    expect((await patch(id, { description: `fuck ${fourLinks}` })).json["error"]).toBe("too_many_links");
  });

  it("[REP-03] description takes 4,000 characters, notes 10,000, both no control character but LF and TAB", async () => {
    const { id } = await service.report(server);
    const long = "💣".repeat(4000);
    expect((await patch(id, { description: long })).json["description"]).toBe(long);
    expect((await patch(id, { private_notes: "\u00e9".repeat(10_000) })).status).toBe(200);
    for (const body of [
      { description: `${long}x` },
      { private_notes: "x".repeat(10_001) },
      { description: "a\u0000b" },
      { description: "\ud800" },
      { private_notes: "\u0007" },
    ]) {
      const { status, json } = await patch(id, body);
      expect([status, json["error"], json["field"]]).toEqual([400, "validation_error", Object.keys(body)[0]]);
    }
    expect((await patch(id, { description: "a\n\tb" })).json["description"]).toBe("a\n\tb");
  });

  it("[REP-21] a certified report is locked for every field", async () => {
    const { id } = await service.report(server);
    await certify(service, id);
    for (const body of [
      { visibility: "private" },
      { description: "x" },
      { description: null },
      { private_notes: "x" },
    ]) {
      const { status, json } = await patch(id, body);
      expect([status, json["error"]]).toEqual([409, "report_locked"]);
    }
  });

  it("[REP-22] a custom run goes unlisted, never public", async () => {
    const { id } = await service.report(server, { benchmark_mode: "custom" });
    expect((await patch(id, { visibility: "public" })).json["error"]).toBe("custom_not_public");
    expect((await patch(id, { visibility: "unlisted" })).json["visibility"]).toBe("unlisted");
    expect((await patch(id, { visibility: "public" })).status).toBe(409);
  });

  it("[REP-23] publishing takes a verified address, hiding and editing do not", async () => {
    const stranger = await service.account("pro", "user", { emailVerified: false });
    const own = await service.report(await service.server(stranger));
    const as = await service.token(stranger);
    for (const visibility of ["public", "unlisted"]) {
      expect((await patch(own.id, { visibility }, as)).json["error"]).toBe("email_not_verified");
    }
    expect((await patch(own.id, { visibility: "private", description: "x" }, as)).status).toBe(200);
  });

  it("[REP-26] private notes are never answered", async () => {
    const { id } = await service.report(server);
    const marker = "only-the-author-7391";
    const changed = await patch(id, { private_notes: marker, visibility: "public" });
    for (const { text } of [changed, await get(id), await get(id, null)]) expect(text).not.toContain(marker);
    expect(changed.json).not.toHaveProperty("private_notes");
  });
});

describe("who sees a report", () => {
  it("[REP-15] [REP-16] [REP-19] [REP-20] by list and by id, for everybody, at each visibility", async () => {
    const { id, shortId } = await service.report(server);
    const stranger = await service.token(await service.account());
    const admin = await service.token(await service.account("pro", "admin"));
    const seen = async (): Promise<string> => {
      const parts = [];
      for (const [name, as] of [
        ["author", token],
        ["stranger", stranger],
        ["admin", admin],
        ["nobody", null],
      ] as const) {
        const byShortId = (await get(shortId, as)).status;
        expect((await get(id, as)).status).toBe(byShortId);
        parts.push(`${name} ${byShortId} ${(await listed(as)).includes(id) ? "listed" : "-"}`);
      }
      return parts.join(", ");
    };
    expect(await seen()).toBe("author 200 listed, stranger 404 -, admin 200 -, nobody 404 -");
    await patch(id, { visibility: "unlisted" });
    expect(await seen()).toBe("author 200 listed, stranger 200 -, admin 200 -, nobody 200 -");
    await patch(id, { visibility: "public" });
    expect(await seen()).toBe("author 200 listed, stranger 200 listed, admin 200 listed, nobody 200 listed");
  });

  it("[REP-08] only the server's owner is told the server", async () => {
    const { id } = await service.report(server);
    await patch(id, { visibility: "public" });
    expect((await get(id)).json["server_id"]).toBe(server.id);
    const admin = await service.token(await service.account("pro", "admin"));
    for (const as of [null, admin]) expect((await get(id, as)).json["server_id"]).toBeNull();
    expect(await listed(null, `&server_id=${server.id}`)).toEqual([]);
  });

  it("[REP-18] mine=true keeps the author's own; mine=false says nothing; without a token it is 401", async () => {
    const other = await service.account();
    const foreign = await service.report(await service.server(other));
    await patch(foreign.id, { visibility: "public" }, await service.token(other));
    expect(await listed(token)).toContain(foreign.id);
    expect(await listed(token, "&mine=true")).not.toContain(foreign.id);
    expect(await listed(token, "&mine=false")).toEqual(await listed(token));
    const anonymous = await service.request("GET", "/api/v1/reports?mine=true");
    expect([anonymous.status, anonymous.json["error"]]).toEqual([401, "unauthorized"]);
  });
});
