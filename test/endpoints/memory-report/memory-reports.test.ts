import { describe, expect, it } from "vitest";
import { planNames } from "../../../src/core/access/plan.ts";
import { memoryPayload } from "../../support/captures.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import type { Json } from "../../support/payload.ts";
import { pageOf, rowsOf, type Answer } from "../../support/service.ts";
import { capturing, spoilDocument, type Uploader } from "../profile/capturing.ts";
import { dayMs, minuteMs } from "../../support/clock.ts";

const scene = capturing();
const at = (offsetMs: number): string => new Date(scene.clock.now() + offsetMs).toISOString();
const mib = 1024 * 1024;

/** Uploads an analysis made so long ago; what it analysed was a dump of its own. */
async function analysis(one: Uploader, agoMs: number, more: Json = {}): Promise<string> {
  const payload = memoryPayload({ created_at: at(-agoMs), dump_id: null, ...more });
  return String((await one.store("/memory-reports", payload))["id"]);
}

/** And a count of classes. */
const summary = (one: Uploader, agoMs: number, more: Json = {}): Promise<string> =>
  analysis(one, agoMs, {
    schema: "service-heap-summary/1",
    mode: "live",
    heap_used_bytes: 100 * mib,
    classes: [
      { class_name: "example.shop.Visit", owner: "Shop", plugin: true, objects: 9, bytes: 40 * mib },
      { class_name: "[B", objects: 5, bytes: 60 * mib },
    ],
    ...more,
  });

const idsOf = (answer: Answer): unknown[] => rowsOf(answer).map(({ id }) => id);
const refusalOf = ({ status, json }: Answer): unknown[] => [status, json["error"], json["field"]];
const codesOf = ({ json }: Answer): unknown[] =>
  (json["comparability"] as { issues: Json[] }).issues.map(({ code }) => code);

describe("lists", () => {
  it("[MEM-01] [MEM-06] a server's is newest first and narrows to a kind", async () => {
    const { mine } = scene;
    const [full, live] = [await analysis(mine, dayMs), await summary(mine, 2 * dayMs)];
    const unknown = await summary(mine, 0, { created_at: null, mode: null });
    const ids = async (query = "") => idsOf(await mine.ofServer(`/memory-reports${query}`));
    expect(await ids()).toEqual([unknown, full, live]);
    expect(await ids("?kind=heap-summary")).toEqual([unknown, live]);
    expect(await ids("?kind=heap-analysis")).toEqual([full]);
    for (const [name, value] of [
      ["kind", "heap"],
      ["kind", ""],
      ["mode", "live"],
      ["days", "3"],
    ])
      expect(refusalOf(await mine.ofServer(`/memory-reports?${name}=${value}`))).toEqual([
        400,
        "validation_error",
        name,
      ]);
    const [row, heap] = rowsOf(await mine.ofServer("/memory-reports"));
    expect(row).toMatchObject({ kind: "heap-summary", mode: null, created_at: null, suspects_count: null });
    expect(heap).toMatchObject({
      schema: "service-heap-analysis/1",
      mode: "full",
      requested_mode: "auto",
      heap_bytes: 4_200_000_000,
      top_owner: "Shop",
      top_owner_pct: 31.19,
      suspects_count: 1,
    });
  });

  it("[MEM-04] [MEM-15] the account's narrows by kind, mode, server and time; days goes alone", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const [old, full] = [await analysis(other, 40 * dayMs), await analysis(mine, 2 * dayMs)];
    const [live, all] = [await summary(other, dayMs), await summary(mine, minuteMs, { mode: "all" })];
    const list = (query: string) => mine.get(`/monitoring/memory-reports?${query}`);
    const narrowed: Readonly<Record<string, readonly string[]>> = {
      "": [all, live, full, old],
      "kind=heap-summary": [all, live],
      "mode=full": [full, old],
      "mode=live": [live],
      "mode=quick": [],
      "kind=heap-summary&mode=full": [],
      "days=3": [all, live, full],
      "days=1": [all],
      [`server_id=${other.server.id}`]: [live, old],
      [`server_id=${other.server.id}&days=30`]: [live],
      "server_id=nobody": [],
    };
    for (const [query, ids] of Object.entries(narrowed))
      expect([query, idsOf(await list(query))]).toEqual([query, ids]);
    expect(rowsOf(await list("mode=live"))[0]).toMatchObject({ id: live, server_name: "Lobby" });
    const moment = String(rowsOf(await list("mode=live"))[0]?.["created_at"]);
    expect(idsOf(await list(`since=${moment}`))).toEqual([all, live]);
    expect(idsOf(await list(`until=${moment}`))).toEqual([full, old]);
    for (const query of [`days=3&since=${moment}`, `days=3&until=${moment}`, "days=0", "days=366"])
      expect(refusalOf(await list(query))).toEqual([400, "validation_error", "days"]);
    expect(refusalOf(await list("mode=heavy"))).toEqual([400, "validation_error", "mode"]);
  });

  it("[MEM-01] [MEM-04] are paged through reports of one moment without a loss or a repeat", async () => {
    const { mine } = scene;
    const moment = at(-minuteMs);
    for (let index = 0; index < 5; index += 1) await summary(mine, 0, { created_at: moment });
    for (const path of [`/servers/${mine.server.id}/memory-reports`, "/monitoring/memory-reports"]) {
      const walked: unknown[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 4 && (page === 0 || cursor !== null); page += 1) {
        const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const next: Answer = await mine.get(`${path}?limit=2${after}`);
        walked.push(...idsOf(next));
        ({ cursor } = pageOf(next));
      }
      expect([cursor, walked]).toEqual([null, idsOf(await mine.get(path))]);
      expect(walked).toHaveLength(5);
    }
  });

  it("[ACC-11] [ACC-26] every route takes monitoring:read on every plan, and shows nobody else's server", async () => {
    for (const plan of planNames) {
      const one = await scene.uploader(plan);
      const [base, target] = [await summary(one, dayMs), await summary(one, minuteMs)];
      const below = `/servers/${one.server.id}/memory-reports`;
      const ofServer = [below, `${below}/${base}`, `${below}/compare?base=${base}&target=${target}`];
      const blind = await scene.service.token(one.server.owner, ["servers:read"]);
      for (const path of [...ofServer, "/monitoring/memory-reports"]) {
        expect([plan, path, (await one.get(path)).status]).toEqual([plan, path, 200]);
        const { status, json } = await scene.service.request("GET", `/api/v1${path}`, { token: blind });
        expect([status, json["required_scope"]]).toEqual([403, "monitoring:read"]);
      }
      for (const path of ofServer) expect((await scene.mine.get(path)).status).toBe(404);
      const foreign = await scene.mine.get(`/monitoring/memory-reports?server_id=${one.server.id}`);
      expect([foreign.status, idsOf(foreign)]).toEqual([200, []]);
    }
  });
});

describe("one report", () => {
  it("[MEM-02] [MEM-16] [MEM-19] has its diagnosis besides its row, on its own server alone", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const [id, there] = [await analysis(mine, minuteMs), await analysis(other, minuteMs)];
    const [row] = rowsOf(await mine.ofServer("/memory-reports"));
    const { diagnosis, ...rest } = (await mine.ofServer(`/memory-reports/${id}`)).json;
    expect(rest).toEqual(row);
    expect(String(rest["url"])).toMatch(new RegExp(`/servers/${mine.server.id}/memory-reports/${id}$`));
    expect(diagnosis).toMatchObject({
      kind: "analysis",
      measure: "retained",
      denominator_bytes: 4_200_000_000,
      owners: [
        { owner: "server", pct: 50 },
        { owner: "Shop", pct: 31.19 },
      ],
      suspects: [{ owner: "Shop", pct: 30.71, gc_root: { type: "system_class" } }],
      game_objects: [{ kind: "player", held: 412, stale: 388 }],
    });
    for (const missing of [there, "nobody", mine.server.id])
      expect((await mine.ofServer(`/memory-reports/${missing}`)).status).toBe(404);
  });

  it("[MEM-10] [MEM-18] [VER-04] a reason nobody knows here still says that the analysis asked for did not run", async () => {
    const { mine } = scene;
    const fallback = { reason: "moon-phase", budget_bytes: 5 };
    const id = await analysis(mine, minuteMs, { mode: "quick", requested_mode: "full", fallback });
    const { json } = await mine.ofServer(`/memory-reports/${id}`);
    expect(json).toMatchObject({
      fallback_reason: "moon-phase",
      suspects_count: null,
      diagnosis: {
        ran_quick_instead_of_full: true,
        fallback: { reason: "moon-phase", known: false, budget_bytes: 5 },
        suspects: null,
        game_objects: null,
      },
    });
  });

  it("[MEM-16] [OUR-MEM-12] whose document cannot be read keeps its row, and is compared by totals alone", async () => {
    const { mine, service } = scene;
    const [id, target] = [await analysis(mine, dayMs), await analysis(mine, minuteMs)];
    const before = await mine.ofServer(`/memory-reports/${id}`);
    expect(await spoilDocument(service, "/memory-reports", id)).toBe(1);
    expect((await mine.ofServer(`/memory-reports/${id}`)).json).toEqual({ ...before.json, diagnosis: null });
    const pair = await mine.ofServer(`/memory-reports/compare?base=${id}&target=${target}`);
    expect([pair.status, codesOf(pair)]).toEqual([200, ["document-missing"]]);
    expect(pair.json).toMatchObject({ total: { base_bytes: 4_200_000_000, delta_bytes: 0 }, owners: [] });
  });

  it("[MEM-19] text that tries to be more than text comes back as it was sent", async () => {
    const { mine } = scene;
    const classes = reportedStrings.map((text, index) => ({
      class_name: `x.${text}`,
      owner: text,
      plugin: true,
      objects: 1,
      bytes: 1000 - index,
    }));
    const id = await summary(mine, minuteMs, { classes, heap_used_bytes: null });
    const { diagnosis, top_owner } = (await mine.ofServer(`/memory-reports/${id}`)).json;
    expect(top_owner).toBe(reportedStrings[0]);
    expect(diagnosis).toMatchObject({
      owners: reportedStrings.map((owner) => ({ owner })),
      classes: classes.map(({ class_name }) => ({ class_name })),
    });
  });
});

describe("comparing two", () => {
  const compare = (one: Uploader, base: string, target: string): Promise<Answer> =>
    one.ofServer(`/memory-reports/compare?base=${base}&target=${target}`);

  it("[MEM-03] [MEM-20] [MEM-21] has the older one as the base, in whatever order they are named", async () => {
    const { mine } = scene;
    const newer = await analysis(mine, minuteMs);
    const older = await analysis(mine, dayMs, {
      suspects: [],
      owners: [{ owner: "server", bytes: 4_100_000_000, objects: 5 }],
    });
    const first = await compare(mine, newer, older);
    expect((await compare(mine, older, newer)).text).toBe(first.text);
    expect([first.status, first.json]).toMatchObject([
      200,
      {
        base: { id: older },
        target: { id: newer },
        elapsed_seconds: 86_340 - 1,
        comparability: { level: "comparable" },
        total: { delta_bytes: 0, delta_percent: 0 },
        suspects: { appeared: [{ owner: "Shop" }], grew: [], resolved: [] },
      },
    ]);
    const shop = (first.json["owners"] as Json[]).find(({ owner }) => owner === "Shop");
    expect(shop).toMatchObject({ base_bytes: 0, delta_bytes: 1_310_000_000, status: "appeared" });
  });

  it("[MEM-03] refuses one report twice, a missing one, and one of another server", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const [id, there] = [await analysis(mine, minuteMs), await analysis(other, minuteMs)];
    expect(refusalOf(await compare(mine, id, id))).toEqual([400, "validation_error", "target"]);
    expect(refusalOf(await compare(mine, there, there))[0]).toBe(400);
    for (const [base, target] of [
      [id, there],
      [there, id],
      [id, "nobody"],
    ] as const)
      expect((await compare(mine, base, target)).status).toBe(404);
    expect(refusalOf(await mine.ofServer(`/memory-reports/compare?base=${id}`))).toEqual([
      400,
      "validation_error",
      "target",
    ]);
  });

  it("[MEM-22] [OUR-MEM-11] a summary and an analysis do not compare; their totals are told, lists are empty", async () => {
    const { mine } = scene;
    const [full, live] = [await analysis(mine, dayMs), await summary(mine, minuteMs)];
    const answer = await compare(mine, live, full);
    expect(codesOf(answer)).toContain("kind-differs");
    expect(answer.json).toMatchObject({
      comparability: { level: "not-comparable" },
      total: { base_bytes: 4_200_000_000, target_bytes: 100 * mib },
      owners: [],
      classes: [],
      suspects: null,
      accumulation_points: null,
    });
    const dump = { dump_id: "one dump" };
    const [one, two] = [await analysis(mine, dayMs, dump), await analysis(mine, minuteMs, dump)];
    expect(codesOf(await compare(mine, one, two))).toEqual(["same-dump"]);
    const quick = await analysis(mine, minuteMs, { mode: "quick", requested_mode: "quick" });
    expect(codesOf(await compare(mine, quick, full))).toContain("measure-differs");
  });
});
