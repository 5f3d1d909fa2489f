import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tieEdges } from "../../../src/core/report/compare.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { readHtml } from "../../support/html.ts";
import { referencePayload } from "../../support/payload.ts";
import { startTestService, type Json, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, visitor, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let author: Account;
let server: LinkedServer;
let own: Visitor;
beforeAll(async () => {
  service = await startTestService();
  author = await service.account();
  server = await service.server(author);
  own = await signedIn(service, author);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** A run whose single core and disk differ from the reference host's by these factors; the hours order runs. */
async function run(cpu: number, hours = 0, changes: Json = {}): Promise<string> {
  const { tests } = referencePayload(
    {},
    { cpu_single_core: { metrics: { ops_per_second: Math.round(1_000_000 * cpu) } } },
  );
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 19, 12 + hours, minutes)).toISOString();
  const made = await service.report(server, { tests, started_at: at(0), finished_at: at(10), ...changes });
  return made.shortId;
}

const textOf = (html: string): string => readHtml(html).text.replaceAll(/\s+/g, " ");
const compared = async (base: string, other: string) =>
  (await own.get(`/reports/compare?base=${base}&other=${other}`)).text;
const api = async (path: string): Promise<Json> =>
  (await service.request("GET", `/api/v1${path}`, { token: await service.token(author) })).json;

/** The drawing of each score, by its accessible name. */
function drawings(html: string) {
  return [...html.matchAll(/<svg class="tie-band".*?<\/svg>/gs)].map(([svg]) => {
    const of = (pattern: RegExp): string => pattern.exec(svg)?.[1] ?? "";
    return {
      label: of(/aria-label="([^"]*)"/),
      centre: Number(of(/<line class="centre" x1="([^"]*)"/)),
      left: Number(of(/<rect class="band" x="([^"]*)"/)),
      width: Number(of(/<rect class="band"[^>]* width="([^"]*)"/)),
      fell: of(/data-fell="([^"]*)"/),
      mark: Number(of(/class="mark-at[^"]*" d="M(-?[\d.]+)/)),
    };
  });
}

describe("a comparison", () => {
  it("[OUR-RPG-10] draws band and mark to scale, and shows inside, above and below by shape and word", async () => {
    const [base, faster, alike] = [await run(1), await run(1.08), await run(1.03)];
    const html = await compared(base, faster);
    const { metrics } = (await api(`/reports/compare?base=${base}&other=${faster}`)) as { metrics: Json[] };
    const drawn = drawings(html);
    expect(drawn).toHaveLength(10);
    const single = drawn.find(({ label }) => label.startsWith("Single core"));
    const row = metrics.find(({ key }) => key === "single_core") ?? {};
    const { percent } = row["gap"] as { percent: number };
    const { below, above } = tieEdges(Number(row["base"]));
    const scale = 110 / 10;
    expect(single).toMatchObject({ centre: 120, fell: "above" });
    expect(single?.left).toBeCloseTo(120 + below * scale, 1);
    expect((single?.left ?? 0) + (single?.width ?? 0)).toBeCloseTo(120 + above * scale, 0);
    expect(single?.mark).toBeCloseTo(120 + percent * scale, 1);
    expect(single?.label).toContain("above the tie band from −5 % to +5.26 %");
    expect(textOf(html)).toContain("other leads");

    const back = drawings(await compared(faster, base)).find(({ label }) => label.startsWith("Single core"));
    expect(back?.fell).toBe("below");
    const near = await compared(base, alike);
    expect(drawings(near).find(({ label }) => label.startsWith("Single core"))?.fell).toBe("inside");
    expect(textOf(near)).toContain("Tie");
    expect(textOf(near)).toContain("No report leads");
  });

  it("[OUR-RPG-10] keeps a mark that is further out at the edge, and says so", async () => {
    const html = await compared(await run(1), await run(4));
    const single = drawings(html).find(({ label }) => label.startsWith("Single core"));
    expect(single).toMatchObject({ fell: "above", mark: 230 });
    expect(html).toContain('class="beyond"');
    expect(html).toContain("+300 %");
  });

  it("[OUR-RPG-10] lists what cannot be compared with the reason", async () => {
    const stress = await run(1, 0, { benchmark_mode: "stresslimit" });
    const blocked = await compared(await run(1), stress);
    expect(textOf(blocked)).toContain("The modes of the reports differ");
    expect(drawings(blocked)).toEqual([]);
    expect(blocked.match(/not comparable/g)?.length).toBeGreaterThanOrEqual(10);
    const nothing = textOf(await compared(await run(1), await run(1, 0, { tests: [] })));
    expect(nothing).toContain("not measured by other");
    expect(nothing).toContain("This is not a tie");
  });

  it("[OUR-RPG-12] shows the differences between the runs above the scores", async () => {
    const html = textOf(await compared(await run(1), await run(1, 0, { server: { java_version: "25" } })));
    expect(html).toContain("The Java versions differ.21.0.525");
    expect(html.indexOf("One difference")).toBeLessThan(html.indexOf("Score by score"));
  });

  it("[OUR-RPG-03] is not found for who may not see both, and takes addresses as well as identifiers", async () => {
    const [base, other] = [await run(1), await run(1)];
    const path = `/reports/compare?base=${base}&other=${other}`;
    expect((await visitor(service).get(path)).status).toBe(404);
    const pasted = encodeURIComponent(`http://127.0.0.1/reports/${other}?x#y`);
    expect((await own.get(`/reports/compare?base=${base}&other=${pasted}`)).text).toContain(
      "No report leads",
    );
    const alone = await own.get(`/reports/compare?base=${base}`);
    expect([alone.status, alone.text.includes(`value="${base}"`)]).toEqual([200, true]);
  });
});

describe("a verdict on a change", () => {
  const judged = async (before: readonly string[], after: readonly string[], more = "") => {
    const query = [...before.map((id) => `before=${id}`), ...after.map((id) => `after=${id}`)].join("&");
    return own.get(`/reports/before-after?${query}&target=single_core${more}`);
  };
  const runs = (cpu: readonly number[], from: number) =>
    Promise.all(cpu.map((factor, index) => run(factor, from + index)));

  it("[OUR-RPG-13] shows runs, spread and effect with the numbers of the API", async () => {
    const before = await runs([1, 1.01, 0.99], 0);
    const after = await runs([1.2, 1.21, 1.22], 6);
    const html = (await judged(before, after)).text;
    const verdict = await api(
      `/reports/before-after?before=${before.join(",")}&after=${after.join(",")}&target=single_core`,
    );
    const text = textOf(html);
    expect(verdict["verdict"]).toBe("improved");
    expect(text).toContain("Improved");
    for (const side of ["before", "after"]) {
      const { count, median, min, max, spread_percent } = verdict[side] as Json;
      expect(text).toContain(`Runs${count}Median${median}Lowest${min}Highest${max}Spread${spread_percent} %`);
    }
    const { shift_percent, p_two_sided } = verdict["effect"] as Json;
    expect(text).toContain(`+${shift_percent} %`);
    expect(text).toContain(String(p_two_sided));
    expect(drawings(html)[0]?.fell).toBe("above");
  });

  it("[OUR-RPG-13] is inconclusive with every reason", async () => {
    const before = await runs([1, 1.01], 0);
    const after = await runs([1.2], 6);
    const { text, status } = await judged(before, after);
    expect(status).toBe(200);
    expect(text).toContain('class="card verdict"');
    expect(textOf(text)).toContain("Inconclusive");
    expect(textOf(text)).toContain("A side has fewer than three runs.");
    expect(textOf(text)).toContain("2 of 3 runs");
    const overlap = await judged(await runs([1, 1.09, 1.03], 0), await runs([1.02, 1.1, 1.05], 6));
    expect(textOf(overlap.text)).toContain("The runs of the two sides overlap.");
    expect(drawings(overlap.text)[0]?.fell).toBe("open");
  });

  it("[OUR-RPG-13] accepts declared changes, and explains a wrong request", async () => {
    const before = await runs([1, 1.01, 0.99], 0);
    const after = await Promise.all(
      [6, 7, 8].map((hours) => run(1.2, hours, { server: { java_version: "25" } })),
    );
    expect(textOf((await judged(before, after)).text)).toContain("java_version");
    expect(textOf((await judged(before, after, "&declared=java_version")).text)).toContain("Improved");
    const twice = await judged(before, before);
    expect([twice.status, textOf(twice.text).includes("Name each report once")]).toEqual([400, true]);
    const asked = await own.get("/reports/before-after");
    expect([asked.status, asked.text.includes('class="card verdict"')]).toEqual([200, false]);
    expect((await judged(["2222222222nn"], after)).status).toBe(404);
  });
});
