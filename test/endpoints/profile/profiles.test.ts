import { describe, expect, it } from "vitest";
import { planNames } from "../../../src/core/access/plan.ts";
import { exampleProfileUpload } from "../../../src/core/profile/example-document.ts";
import { profilePayload } from "../../support/captures.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import type { Json } from "../../support/payload.ts";
import { pageOf, rowsOf, type Answer } from "../../support/service.ts";
import { capturing, spoilDocument, type Uploader } from "./capturing.ts";
import { dayMs, minuteMs } from "../../support/clock.ts";

const scene = capturing();
const at = (offsetMs: number): string => new Date(scene.clock.now() + offsetMs).toISOString();

/** Uploads a profile captured so long ago. */
async function profile(one: Uploader, agoMs: number, more: Json = {}) {
  const json = await one.store("/profiles", profilePayload({ created_at: at(-agoMs), ...more }));
  return { summary: String(json["summary_id"]), profile: String(json["profile_id"]) };
}

const idsOf = (answer: Answer): unknown[] => rowsOf(answer).map(({ id }) => id);
const refusalOf = ({ status, json }: Answer): unknown[] => [status, json["error"], json["field"]];
const detailOf = ({ json }: Answer): Record<string, Json[]> => json["detail"] as Record<string, Json[]>;

/** The example's tree, with these plugins in the place of the shop. */
const ownedBy = (...owners: readonly string[]): Json => {
  const { frames } = exampleProfileUpload;
  const plugins = owners.map((owner, index) => ({ frame: `p.P${index}.run`, owner, plugin: true }));
  const nodes = plugins.map((_, index) => ({
    parent: 0,
    frame: frames.length + index,
    samples: 400 - index,
  }));
  return {
    frames: [...frames, ...plugins],
    nodes: [{ parent: -1, frame: 0, samples: 1 }, ...nodes],
    samples: {},
  };
};

describe("a server's list", () => {
  it("[PRO-01] is newest first by capture, and of the last days alone when asked", async () => {
    const { mine } = scene;
    const [old, young, middle] = [
      await profile(mine, 40 * dayMs),
      await profile(mine, minuteMs),
      await profile(mine, 2 * dayMs),
    ];
    const unknown = await profile(mine, 0, { created_at: null });
    const all = await mine.ofServer("/profiles/summaries");
    expect([all.status, idsOf(all)]).toEqual([
      200,
      [unknown, young, middle, old].map(({ summary }) => summary),
    ]);
    expect(rowsOf(all)[0]).toMatchObject({ captured_at: null, server_id: mine.server.id });
    expect(rowsOf(all)[1]).toMatchObject({ profile_id: young.profile, summary: { trigger: "lag" } });
    const within = async (days: number) => idsOf(await mine.ofServer(`/profiles/summaries?days=${days}`));
    expect(await within(1)).toEqual([unknown.summary, young.summary]);
    expect(await within(39)).toEqual([unknown.summary, young.summary, middle.summary]);
    expect(await within(365)).toEqual(idsOf(all));
  });

  it("[PRO-01] [PRO-03] days outside 1 to 365, and parameters that are none, are refused by name", async () => {
    const { mine } = scene;
    for (const days of ["0", "366", "-1", "1.5", "week", ""])
      for (const path of [`/servers/${mine.server.id}/profiles/summaries`, "/monitoring/profiles"])
        expect([days, ...refusalOf(await mine.get(`${path}?days=${days}`))]).toEqual([
          days,
          400,
          "validation_error",
          "days",
        ]);
    for (const span of [`since=${at(-dayMs)}`, `until=${at(0)}`, `since=${at(-dayMs)}&until=${at(0)}`])
      expect(refusalOf(await mine.get(`/monitoring/profiles?days=3&${span}`))).toEqual([
        400,
        "validation_error",
        "days",
      ]);
    for (const name of ["trigger", "owner", "since"])
      expect(refusalOf(await mine.ofServer(`/profiles/summaries?${name}=lag`))[0], name).toBe(400);
  });

  it("[PRO-01] [PRO-03] pages through captures of one moment without a loss or a repeat", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const moment = at(-minuteMs);
    for (let index = 0; index < 7; index += 1)
      await profile(index % 2 ? other : mine, 0, { created_at: index === 3 ? at(-dayMs) : moment });
    for (const path of [`/servers/${mine.server.id}/profiles/summaries`, "/monitoring/profiles"]) {
      const whole = idsOf(await mine.get(path));
      const walked: unknown[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 5 && (page === 0 || cursor !== null); page += 1) {
        const next: Answer = await mine.get(
          `${path}?limit=2${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        walked.push(...idsOf(next));
        ({ cursor } = pageOf(next));
      }
      expect([cursor, walked]).toEqual([null, whole]);
      expect(new Set(whole).size).toBe(path === "/monitoring/profiles" ? 7 : 4);
    }
  });
});

describe("the account's list", () => {
  it("[PRO-03] since is inclusive and until exclusive, by the time of capture", async () => {
    const { mine } = scene;
    const [first, second] = [at(-3 * dayMs), at(-2 * dayMs)];
    const one = await profile(mine, 0, { created_at: first });
    const two = await profile(mine, 0, { created_at: second });
    const ids = async (query: string) => idsOf(await mine.get(`/monitoring/profiles?${query}`));
    const after = (text: string): string => new Date(Date.parse(text) + 1).toISOString();
    expect(await ids(`since=${first}`)).toEqual([two.summary, one.summary]);
    expect(await ids(`since=${after(first)}`)).toEqual([two.summary]);
    expect(await ids(`until=${second}`)).toEqual([one.summary]);
    expect(await ids(`until=${after(second)}`)).toEqual([two.summary, one.summary]);
    expect(await ids(`since=${first}&until=${second}`)).toEqual([one.summary]);
    expect(await ids(`since=${second}&until=${second}`)).toEqual([]);
  });

  it("[PRO-03] [PRO-20] [PRO-22] narrows by trigger, by an owner's exact name and by server", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const lag = await profile(mine, 3 * minuteMs);
    const manual = await profile(other, 2 * minuteMs, { trigger: "manual", ...ownedBy("Claims", "Ban*%") });
    const ids = async (query: string) => idsOf(await mine.get(`/monitoring/profiles?${query}`));
    expect(await ids("")).toEqual([manual.summary, lag.summary]);
    expect(await ids("trigger=lag")).toEqual([lag.summary]);
    expect(await ids("trigger=LAG")).toEqual([]);
    expect(await ids("owner=Shop")).toEqual([lag.summary]);
    for (const owner of ["shop", "Sho", "Sho%25", "S_op", "*", "p.P0.run", "Claims%20"])
      expect([owner, await ids(`owner=${owner}`)]).toEqual([owner, []]);
    expect(await ids("owner=Ban*%25&trigger=manual")).toEqual([manual.summary]);
    expect(await ids("owner=Claims&trigger=lag")).toEqual([]);
    expect(await ids(`server_id=${other.server.id}`)).toEqual([manual.summary]);
    const [row] = rowsOf(await mine.get("/monitoring/profiles?owner=Claims"));
    expect(row).toMatchObject({
      profile_id: manual.profile,
      server_name: "Lobby",
      trigger: "manual",
      top_plugin: { owner: "Claims", self_pct: 50 },
    });
  });

  it("[ACC-26] [PRO-03] has nothing of another account's server, which does not exist for it", async () => {
    const { mine } = scene;
    const theirs = await scene.uploader();
    const { summary, profile: id } = await profile(theirs, minuteMs);
    const base = `/servers/${theirs.server.id}/profiles`;
    const nobody = "019a9f5e-1d00-7000-8000-0000000000ff";
    for (const path of [`/summaries`, `/${id}`, `/compare?base=${summary}&target=${id}`]) {
      const answer = await mine.get(base + path);
      const missing = await mine.get(`/servers/${nobody}/profiles${path}`);
      expect([path, answer.status, answer.text]).toEqual([path, 404, missing.text]);
    }
    const listed = await mine.get(`/monitoring/profiles?server_id=${theirs.server.id}`);
    expect([listed.status, idsOf(listed)]).toEqual([200, []]);
  });

  it("[ACC-11] [PRO-01] every route takes the scope monitoring:read, on every plan", async () => {
    for (const plan of planNames) {
      const one = await scene.uploader(plan);
      const { summary, profile: id } = await profile(one, minuteMs);
      const { profile: other } = await profile(one, dayMs);
      const base = `/servers/${one.server.id}/profiles`;
      const paths = [
        `${base}/summaries`,
        `${base}/${id}`,
        `${base}/compare?base=${summary}&target=${other}`,
        "/monitoring/profiles",
      ];
      const blind = await scene.service.token(one.server.owner, ["servers:read", "reports:read"]);
      for (const path of paths) {
        expect([plan, path, (await one.get(path)).status]).toEqual([plan, path, 200]);
        const { status, json } = await scene.service.request("GET", `/api/v1${path}`, { token: blind });
        expect([status, json["error"], json["required_scope"]]).toEqual([
          403,
          "missing_scope",
          "monitoring:read",
        ]);
      }
    }
  });
});

describe("a full profile", () => {
  it("[PRO-02] [PRO-30] [PRO-31] owner narrows methods and paths: exact, else the only other spelling, else nobody", async () => {
    const { mine } = scene;
    const one = await profile(mine, minuteMs, ownedBy("Shop", "Claims", "SHOP", "Économie"));
    const read = async (owner: string) =>
      detailOf(await mine.ofServer(`/profiles/${one.profile}?owner=${encodeURIComponent(owner)}`));
    const whole = detailOf(await mine.ofServer(`/profiles/${one.profile}`));
    expect([whole["owner_filter"], whole["methods"]?.length]).toEqual([null, 5]);
    const matches = {
      Shop: "Shop",
      SHOP: "SHOP",
      shop: null,
      claims: "Claims",
      économie: "Économie",
      Sho: null,
    };
    for (const [requested, matched] of Object.entries(matches)) {
      const detail = await read(requested);
      expect(detail["owner_filter"]).toEqual({ requested, matched });
      expect(detail["owners"]).toEqual(whole["owners"]);
      const owners = new Set(detail["methods"]?.map(({ owner }) => owner));
      expect([requested, [...owners]]).toEqual([requested, matched === null ? [] : [matched]]);
      const entries = detail["paths"]?.map(({ owner_entry_depth }) => owner_entry_depth);
      expect(entries).toEqual(matched === null ? [] : [2]);
    }
    for (const owner of ["", "x".repeat(201)])
      expect(refusalOf(await mine.ofServer(`/profiles/${one.profile}?owner=${owner}`))).toEqual([
        400,
        "validation_error",
        "owner",
      ]);
  });

  it("[PRO-02] is found by its own id alone, on its own server alone", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const here = await profile(mine, minuteMs);
    const there = await profile(other, minuteMs);
    expect((await mine.ofServer(`/profiles/${here.profile}`)).json).toMatchObject({
      id: here.profile,
      server_id: mine.server.id,
      tick_samples: 1190,
      detail: { schema: "service-profile/1", tree_truncated: false },
    });
    const missing = await mine.ofServer("/profiles/019a9f5e-1d00-7000-8000-0000000000ff");
    for (const id of [here.summary, there.profile, there.summary, "nonsense"]) {
      const answer = await mine.ofServer(`/profiles/${id}`);
      expect([id, answer.status, answer.text]).toEqual([id, 404, missing.text]);
    }
  });

  it("[PRO-24] is told without its detail when its document cannot be read, and compared by its summary", async () => {
    const { mine, service } = scene;
    const [one, two] = [await profile(mine, dayMs), await profile(mine, minuteMs)];
    const pair = `/profiles/compare?base=${one.summary}&target=${two.summary}`;
    const path = `/profiles/${one.profile}`;
    const before = await mine.ofServer(path);
    expect((await mine.ofServer(pair)).json["source"]).toBe("documents");
    expect(await spoilDocument(service, "/profiles", one.profile)).toBe(1);
    expect((await mine.ofServer(path)).json).toEqual({ ...before.json, detail: null });
    expect((await mine.ofServer(pair)).json["source"]).toBe("summaries");
    expect(idsOf(await mine.ofServer("/profiles/summaries"))).toContain(one.summary);
  });

  it("[PRO-23] [PRO-32] text that tries to be more than text comes back as it was sent", async () => {
    const { mine } = scene;
    const frames = reportedStrings.map((text) => ({ frame: `x.${text}.run`, owner: text, plugin: true }));
    const nodes = frames.map((_, frame) => ({ parent: -1, frame, samples: 400 }));
    const warnings = [{ code: "odd", params: { note: reportedStrings[0], __proto: { polluted: 1 } } }];
    const one = await profile(mine, minuteMs, { frames, nodes, samples: {}, warnings, engine: "<b>" });
    const answer = await mine.ofServer(`/profiles/${one.profile}`);
    const detail = detailOf(answer);
    const sorted = (values: unknown[] = []): unknown[] => values.map(String).sort();
    expect(sorted(detail["owners"]?.map(({ owner }) => owner))).toEqual(sorted([...reportedStrings]));
    const names = frames.map(({ frame }) => frame);
    expect(sorted(detail["methods"]?.map(({ method }) => method))).toEqual(sorted(names));
    expect([answer.json["detail"], answer.headers["content-type"]]).toEqual([
      expect.objectContaining({ engine: "<b>" }),
      "application/json; charset=utf-8",
    ]);
    const [listed] = rowsOf(
      await mine.get(`/monitoring/profiles?owner=${encodeURIComponent("\u001b[31mred\u0007")}`),
    );
    expect(listed?.["top_plugin"]).toMatchObject({ owner: "\u001b[31mred\u0007" });
  });
});
