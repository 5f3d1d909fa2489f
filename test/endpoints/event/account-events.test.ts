import { describe, expect, it } from "vitest";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { dayMs, hourMs, minuteMs } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { event, sceneOfServer } from "../../support/scene.ts";
import { pageOf, rowsOf, type Answer, type LinkedServer } from "../../support/service.ts";

const scene = sceneOfServer();
const { at, clock } = scene;

const list = (query = "", token = scene.token): Promise<Answer> =>
  scene.service.request("GET", `/api/v1/monitoring/events${query}`, { token });
const titles = async (query = ""): Promise<unknown[]> => rowsOf(await list(query)).map(({ title }) => title);

const send = async ({ credential }: LinkedServer, ...events: Json[]): Promise<void> => {
  const answer = await scene.service.request("POST", "/plugin/v1/events", {
    token: credential,
    body: { events },
  });
  expect(answer.status).toBe(200);
};

/** A second server of the account, and one of another account. */
async function others(): Promise<{ second: LinkedServer; foreign: LinkedServer }> {
  const second = await scene.service.server(scene.server.owner, { name: "Second" });
  const foreign = await scene.service.server(await scene.service.account("pro"));
  return { second, foreign };
}

describe("the timeline of all servers", () => {
  it("[OUR-EVT-22] has the entries of every own server, newest first, with the server's name, and nobody else's", async () => {
    const { second, foreign } = await others();
    await send(scene.server, event("1", { title: "old", timestamp: at(-3 * minuteMs) }));
    await send(second, event("1", { title: "middle", timestamp: at(-2 * minuteMs) }));
    await send(scene.server, event("2", { title: "new", timestamp: at(-minuteMs) }));
    await send(foreign, event("1", { title: "foreign", timestamp: at(-minuteMs) }));
    const rows = rowsOf(await list());
    expect(rows.map(({ title, server_id }) => [title, server_id])).toEqual([
      ["new", scene.server.id],
      ["middle", second.id],
      ["old", scene.server.id],
    ]);
    expect(rows[1]?.["server_name"]).toBe("Second");
    const { server_name: _name, ...middle } = rows[1] ?? {};
    const alone = await scene.service.request("GET", `/api/v1/servers/${second.id}/events`, {
      token: scene.token,
    });
    expect([middle]).toEqual(rowsOf(alone));
  });

  it("[OUR-EVT-22] is narrowed to one own server; a foreign server and none at all are told apart by nothing", async () => {
    const { second, foreign } = await others();
    await send(scene.server, event("1", { title: "first" }));
    await send(second, event("1", { title: "second" }));
    expect(await titles(`?server_id=${second.id}`)).toEqual(["second"]);
    const errors = [];
    for (const id of [foreign.id, "019a9f5e-1d00-7000-8000-000000000001", "no-id"]) {
      const { status, json } = await list(`?server_id=${id}`);
      errors.push([status, json["error"], json["message"]]);
    }
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(errors[0]?.slice(0, 2)).toEqual([404, "not_found"]);
  });

  it("[OUR-EVT-22] takes the filters and the times of one timeline, and times as people write them", async () => {
    const { second } = await others();
    await send(scene.server, event("1", { title: "ban", timestamp: at(-2 * hourMs) }));
    await send(second, event("2", { title: "start", type: "server_start", category: "lifecycle" }));
    await send(
      second,
      event("3", { title: "late", source: "Vulcan", severity: "error", timestamp: at(-hourMs) }),
    );
    expect(await titles("?category=lifecycle")).toEqual(["start"]);
    expect(await titles("?type=ban")).toEqual(["late", "ban"]);
    expect(await titles("?type=ban&source=Vulcan")).toEqual(["late"]);
    expect(await titles("?severity=warning")).toEqual(["start", "ban"]);
    expect(await titles("?from=-90m")).toEqual(["start", "late"]);
    expect(await titles("?from=-3h&to=-90m")).toEqual(["ban"]);
    expect(await titles(`?from=${at(-3 * hourMs)}&to=now`)).toEqual(["late", "ban"]);
    for (const [field, query] of [
      ["from", "?from=yesterday"],
      ["from", "?from=-999999d"],
      ["from", "?from=now"],
      ["to", "?to=-1h"],
      ["range", "?range=24h"],
      ["severity", "?severity=warn"],
    ]) {
      const { status, json } = await list(query);
      expect([query, status, json["error"], json["field"]]).toEqual([query, 400, "validation_error", field]);
    }
  });

  it("[OUR-EVT-22] takes a plan with monitoring and a period that it shows", async () => {
    expect((await list("?from=-30d")).status).toBe(200);
    const { status, json } = await list(`?from=-31d`);
    expect([status, json["error"], json["retention_days"]]).toEqual([403, "retention_exceeded", 30]);
    const stranger = await scene.service.account("free");
    const token = await scene.service.token(stranger);
    expect((await list("", token)).json["error"]).toBe("plan_required");
    await scene.service.app.db.write(changePlan, stranger.id, "pro", clock.now());
    expect((await list("", token)).json["data"]).toEqual([]);
    expect((await list(`?from=${at(-300 * dayMs)}`, token)).json["error"]).toBe("retention_exceeded");
  });

  it("[OUR-EVT-22] is walked by cursor, which belongs to its filters", async () => {
    const { second } = await others();
    for (const index of [0, 1, 2])
      for (const server of [scene.server, second])
        await send(server, event(`${index}`, { title: `${index}`, timestamp: at(-index * minuteMs) }));
    const walked: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await list(`?limit=2&from=-1h${cursor === null ? "" : `&cursor=${cursor}`}`);
      walked.push(...rowsOf(page).map(({ title }) => title));
      ({ cursor } = pageOf(page));
    } while (cursor !== null);
    expect(walked).toEqual(["0", "0", "1", "1", "2", "2"]);
    const { cursor: next } = pageOf(await list("?limit=2"));
    expect((await list(`?limit=2&cursor=${next}&type=ban`)).json["error"]).toBe("invalid_cursor");
  });
});
