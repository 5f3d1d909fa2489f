import { measuredName } from "../../../src/dashboard/words/diagnosis.ts";
import { intercept } from "../../support/intercept.ts";
import { certify } from "../../../src/services/offer/certify-offer.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callAsPerson, type PersonCalling } from "../../../src/contract/call/call-as-person.ts";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { Refusal } from "../../../src/core/errors.ts";
import { deleteReport } from "../../../src/actions/report/delete-report.ts";
import { readHtml } from "../../support/html.ts";
import { startTestService, type Json, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, visitor, type Visitor } from "../../support/visitor.ts";
import { referencePayload } from "../../support/payload.ts";
import { listedOffer } from "../../support/offer.ts";
import { unitTestPayload } from "../../support/unit-test.ts";

const named = (key: unknown, unit: unknown): string =>
  measuredName(String(key), unit === null ? null : String(unit));

/** Figures for people: two decimals at most, and none from 100 on. */
const shown = (value: unknown): string =>
  Number(value).toLocaleString("en-GB", { maximumFractionDigits: Math.abs(Number(value)) < 100 ? 2 : 0 });

let service: TestService;
let author: Account;
let server: LinkedServer;
let own: Visitor;
let stranger: Visitor;
let anonymous: Visitor;
beforeAll(async () => {
  service = await startTestService();
  author = await service.account();
  server = await service.server(author);
  own = await signedIn(service, author);
  stranger = await signedIn(service, await service.account());
  anonymous = visitor(service);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const api = async (path: string, account: Account | null = author): Promise<Json> =>
  (
    await service.request("GET", `/api/v1${path}`, {
      token: account === null ? null : await service.token(account),
    })
  ).json;

const textAt = async (who: Visitor, path: string): Promise<string> =>
  readHtml((await who.get(path)).text).text.replaceAll(/\s+/g, " ");

const statuses = async (path: string): Promise<number[]> => {
  const all = [anonymous, stranger, own].map(async (who) => (await who.get(path)).status);
  return Promise.all(all);
};

describe("a report's page", () => {
  it("[OUR-RPG-01] shows every number of the scores as the API writes it", async () => {
    const { id } = await service.report(server, uneven());
    const report = await api(`/reports/${id}`);
    const text = await textAt(own, `/reports/${id}`);
    const groups = ["scores", "sub_scores", "multipliers"].map((name) => report[name] as Json);
    const numbers = groups.flatMap((group) => Object.values(group)).filter((value) => value !== null);
    expect(numbers.length).toBeGreaterThan(10);
    for (const value of numbers) expect(text).toMatch(new RegExp(`(?<![\\d.])${String(value)}(?![\\d.])`));
  });

  it("[OUR-RPG-01] says which scores were not measured, and that a custom run is not scored", async () => {
    const absent = await service.report(server, { tests: [] });
    expect(await textAt(own, `/reports/${absent.id}`)).toContain(
      "Hardware and gameplay not measured, so there is no total",
    );
    const custom = await service.report(server, { benchmark_mode: "custom" });
    expect(await textAt(own, `/reports/${custom.id}`)).toContain("not scored");
  });

  it("[OUR-RPG-02] shows diagnosis and tuning as the API answers them", async () => {
    const { id } = await service.report(server, {
      hardware: { cpu_cores: 8, available_processors: 1 },
      config: { view_distance: 12 },
      ...uneven(),
    });
    const { findings } = (await api(`/reports/${id}/diagnosis`)) as { findings: Json[] };
    const { areas, recommendations } = (await api(`/reports/${id}/tuning`)) as Record<string, Json[]>;
    const text = await textAt(own, `/reports/${id}`);
    expect(findings.length).toBeGreaterThan(0);
    for (const { code, severity, evidence } of findings) {
      expect(text).toContain(`${code} `);
      expect(text).toContain(String(severity));
      for (const { key, value, unit } of evidence as Json[])
        expect(text).toContain(`${named(key, unit)} ${shown(value)}`);
    }
    expect(recommendations?.length).toBeGreaterThan(0);
    for (const { trigger, retest } of recommendations ?? []) {
      const { metric, value, unit } = trigger as Json;
      expect(text).toContain(`${named(metric, unit)} was ${shown(value)}`);
      expect(text).toContain(`run the test ${(retest as Json)["test_id"]} again`);
    }
    const told = {
      recommended: "to try",
      nothing_to_change: "nothing to change",
      not_measured: "not measured",
    };
    for (const { status } of areas ?? []) expect(text).toContain(told[status as keyof typeof told]);
  });

  it("[OUR-RPG-02] distinguishes an area that was not measured from one with nothing to change", async () => {
    const { id } = await service.report(server, { tests: [] });
    const text = await textAt(own, `/reports/${id}`);
    expect(text).toContain("not measuredthe test was not run");
    const calm = await service.report(server);
    expect(await textAt(own, `/reports/${calm.id}`)).toContain("nothing to change");
  });

  it("[OUR-RPG-03] opens for who may see the report, and is not found for others", async () => {
    const { id, shortId } = await service.report(server);
    const path = `/reports/${shortId}`;
    expect(await statuses(path)).toEqual([404, 404, 200]);
    expect(await statuses(`/reports/${id}`)).toEqual([404, 404, 200]);
    await own.send(path, "visibility", { visibility: "unlisted" });
    expect(await statuses(path)).toEqual([200, 200, 200]);
    expect((await anonymous.get("/reports")).text).not.toContain(shortId);
    await own.send(path, "visibility", { visibility: "public" });
    expect((await anonymous.get("/reports")).text).toContain(shortId);
    expect(await statuses("/reports/no-such-report")).toEqual([404, 404, 404]);
  });

  it("[OUR-RPG-04] shows notes and forms to the author alone", async () => {
    const { shortId } = await service.report(server);
    const path = `/reports/${shortId}`;
    await own.send(path, "visibility", { visibility: "unlisted" });
    const kept = await own.send(path, "texts", { description: "First\r\nsecond", private_notes: "for me" });
    expect(kept.status).toBe(303);
    expect(await api(`/reports/${shortId}`)).toMatchObject({ description: "First\nsecond" });
    const [mine, theirs] = [(await own.get(path)).text, (await stranger.get(path)).text];
    expect(mine).toContain("for me");
    expect(mine).toContain('name="do" value="delete"');
    for (const page of [theirs, (await anonymous.get(path)).text]) {
      expect(page).toContain("First\nsecond");
      expect(page).not.toContain("for me");
      expect(page).not.toContain('name="do"');
    }
    await own.send(path, "texts", { description: "", private_notes: "" });
    expect((await own.get(path)).text).not.toContain("for me");
  });

  it("[OUR-RPG-04] lets the holder of the verified server write the description, and nothing else", async () => {
    const sold = await service.server(author);
    const { shortId } = await service.report(sold);
    const holder = await service.account("pro", "user");
    const found = await service.app.db.read(
      selectReport,
      shortId,
      { accountId: author.id, admin: false },
      service.app.clock(),
    );
    if (!found) throw new Error("The report was just made.");
    // Servers change hands in ways of their own; what the page asks is who holds it.
    const { db } = service.app;
    const end = intercept(db, selectReport, async (usual, _id, viewer) =>
      viewer.accountId === holder.id
        ? { ...found, authorId: null, holderId: holder.id, holderVerified: true }
        : usual(),
    );
    const theirs = await signedIn(service, holder);
    const page = (await theirs.get(`/reports/${shortId}`)).text;
    end();
    expect(page).toContain('name="description"');
    for (const field of ["private_notes", "visibility", "sure"])
      expect(page).not.toContain(`name="${field}"`);
  });

  it("[OUR-RPG-05] shows a refusal beside its form, which keeps what was typed", async () => {
    const { shortId } = await service.report(server, { benchmark_mode: "custom" });
    const path = `/reports/${shortId}`;
    const links = "https://a.example https://b.example https://c.example https://d.example";
    const refused = await own.send(path, "texts", { description: links, private_notes: "kept" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("at most 3 are allowed");
    expect(refused.text).toContain(links);
    expect(refused.text).toContain("kept");
    const custom = await own.send(path, "visibility", { visibility: "public" });
    expect([custom.status, custom.text.includes("cannot be public")]).toEqual([409, true]);
    const unsure = await own.send(path, "visibility", { visibility: "everybody" });
    expect(unsure.status).toBe(400);
  });
});

/** A run that measured something else than the reference host, so that no two scores are alike. */
function uneven(): Json {
  const { tests } = referencePayload(
    {},
    {
      cpu_single_core: { metrics: { ops_per_second: 1_234_567 } },
      cpu_multi_core: { metrics: { ops_per_second: 5_432_100 } },
      memory_latency: { metrics: { latency_ns: 71 } },
      disk_sequential: { metrics: { read_mb_s: 777 } },
      exploration_chunk_generation: { metrics: { chunks_per_second: 12.5 } },
      entities_items: { metrics: { entity_ticks_per_ms: 90 } },
      mechanics_hopper: { metrics: { transfers_per_ms: 333 } },
    },
  );
  return {
    tests,
    gc: { pause_total_ms: 20_000 },
    ticks: { mspt: { avg: 31.7, p50: 30, p95: 44, p99: 71.2, max: 231.4 } },
  };
}

const personFor = (account: Account): Promise<PersonCalling> =>
  startSession(service.app, account, null, service.app.clock()).then(({ secret }) =>
    personOf(service.app, secret, "127.0.0.1", service.app.clock()),
  );

/** The code that deleting is refused with. */
async function refusalOf(account: Account | null, id: string): Promise<string> {
  const person: PersonCalling = account
    ? await personFor(account)
    : { kind: "anonymous", address: "127.0.0.1" };
  const asked = callAsPerson(service.app, deleteReport, person, { report_id: id }, "test");
  return asked.then(
    () => "deleted",
    (error: Refusal) => error.code,
  );
}

describe("deleting a report", () => {
  it("[OUR-RPG-06] lists what is lost, asks for confirmation, and deletes it with its single tests", async () => {
    const { id, shortId } = await service.report(server, { local_id: "to-be-deleted" });
    const path = `/reports/${shortId}`;
    const body = unitTestPayload({ parent_report_local_id: "to-be-deleted" });
    const sent = await service.request("POST", "/plugin/v1/unit-tests", { token: server.credential, body });
    const [test = ""] = sent.json["ids"] as string[];
    expect(await textAt(own, path)).toContain("the single test that belongs to it");
    const asked = await own.send(path, "delete");
    expect([asked.status, asked.text.includes("Tick the box")]).toEqual([400, true]);
    expect((await own.get(path)).status).toBe(200);
    const done = await own.send(path, "delete", { sure: "on" });
    expect([done.status, done.headers.location]).toEqual([303, "/reports?mine=true"]);
    for (const gone of [`/reports/${id}`, `/reports/${id}/diagnosis`, `/unit-tests/${test}`])
      expect(await api(gone)).toMatchObject({ error: "not_found" });
  });

  it("[OUR-RPG-07] leaves a certified report alone, and one of somebody else", async () => {
    const { id, shortId } = await service.report(server);
    const path = `/reports/${shortId}`;
    await own.send(path, "visibility", { visibility: "unlisted" });
    expect(await refusalOf(await service.account(), id)).toBe("not_owner");
    expect(await refusalOf(await service.account("pro", "admin"), id)).toBe("not_owner");
    const hidden = await service.report(server);
    expect(await refusalOf(await service.account(), hidden.id)).toBe("not_found");
    expect(await refusalOf(await service.account("pro", "admin"), hidden.id)).toBe("not_owner");
    expect(await refusalOf(null, id)).toBe("unauthorized");
    const { db } = service.app;
    await db.write(importOfferList, [listedOffer("certified")], service.app.clock());
    expect(await db.write(certify, "certified", id, service.app.clock())).toBe("certified");
    expect(await refusalOf(author, id)).toBe("report_locked");
    const page = (await own.get(path)).text;
    expect(page).toContain("it is locked");
    expect(page.match(/name="do" value="[^"]*"/g)).toEqual(['name="do" value="label"']);
  });
});

describe("the list of reports", () => {
  it("[OUR-RPG-09] takes the API's filters, and explains a wrong one", async () => {
    const { shortId } = await service.report(server, {
      benchmark_mode: "stresslimit",
      server: { type: "folia" },
    });
    await own.send(`/reports/${shortId}`, "visibility", { visibility: "public" });
    const shows = async (query: string) => (await anonymous.get(`/reports?${query}`)).text.includes(shortId);
    expect(await shows("benchmark_mode=stresslimit&server_type=folia&visibility=")).toBe(true);
    expect(await shows("benchmark_mode=standard")).toBe(false);
    expect(await shows("server_type=paper")).toBe(false);
    const wrong = await anonymous.get("/reports?benchmark_mode=slow");
    expect([wrong.status, wrong.text.includes("benchmark_mode takes")]).toEqual([400, true]);
    expect((await anonymous.get("/reports?unknown=1")).status).toBe(400);
    expect((await anonymous.get("/reports?mine=true")).status).toBe(401);
    expect((await own.get("/reports?mine=true")).text).toContain(shortId);
    const first = await own.get("/reports?mine=true&limit=1");
    const next = /href="(\?[^"]*cursor[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await own.get(`/reports${next}`)).status).toBe(200);
  });

  it("[OUR-RPG-09] shows what to do first when it is empty", async () => {
    expect((await anonymous.get("/reports?server_type=none-such")).text).toContain("No report matches");
    const nobody = await startTestService();
    expect((await visitor(nobody).get("/reports")).text).toContain("No reports yet");
    expect((await visitor(nobody).get("/offers")).text).toContain("No offers yet");
    expect((await visitor(nobody).get("/unit-tests")).text).toContain("No unit tests yet");
    await nobody.close();
  });
});
