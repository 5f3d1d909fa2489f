import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyReasonOf } from "../../src/dashboard/parts/empty-list.tsx";
import { startTestService, type TestService } from "../support/service.ts";
import { signedIn } from "../support/visitor.ts";

const now = Date.UTC(2026, 10, 20, 8);

describe("why a list is empty", () => {
  const kept = { days: 30, by: "plan" } as const;
  const filters = ["status", "since", "until"];
  const reason = (query: string) => emptyReasonOf(new URLSearchParams(query), now, filters, kept);

  it("[OUR-DSH-150] is its end, a time that is not kept, a filter, or that nothing is there, in this order", () => {
    expect(reason("")).toBe("nothing");
    expect(reason("status=&other=1&page=2")).toBe("nothing");
    expect(reason("status=open")).toBe("filtered");
    expect(reason("since=2026-11-01T00:00:00Z")).toBe("nothing");
    expect(reason("since=2026-10-01T00:00:00Z&status=open")).toBe("not_kept");
    expect(reason("until=2026-10-01T00:00:00Z")).toBe("not_kept");
    expect(reason("cursor=abc&since=2026-10-01T00:00:00Z&status=open")).toBe("end");
  });

  it("[OUR-DSH-150] is never the time where everything is kept, or where the page takes none", () => {
    const query = new URLSearchParams("since=2020-01-01T00:00:00Z");
    expect(emptyReasonOf(query, now, filters)).toBe("nothing");
    expect(emptyReasonOf(query, now, ["status"], kept)).toBe("nothing");
  });
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** Each list page, with a filter of it that excludes everything. */
const filtered = [
  ["/alerts", "status=open"],
  ["/alerts", "channel=email"],
  ["/reports", "mine=true&benchmark_mode=standard"],
  ["/unit-tests", "mine=true&test_id=chunks"],
  ["/offers", "type=vps"],
  ["/servers", "watched=no"],
  ["/servers", "state=running"],
  ["/servers/{id}/timeline", "category=security"],
  ["/settings/security/activity", "token_id=019a9f5e-1d00-7000-8000-000000000001"],
  ["/find", "q=zzzz"],
] as const;

it.each(filtered)(
  "[OUR-DSH-150] %s?%s says that the filter excludes everything, and leads to all",
  async (path, query) => {
    const owner = await service.account("pro");
    const visitor = await signedIn(service, owner);
    const { id } = await service.server(owner, { name: "Lobby" });
    const address = path.replace("{id}", id);
    const titles = async (at: string): Promise<string[]> => {
      const { text } = await visitor.get(at);
      return [...text.matchAll(/<section class="empty"><h2>([^<]*)<\/h2>/g)].map(([, title = ""]) => title);
    };
    const excluded = await titles(`${address}?${query}`);
    expect(excluded).toEqual([expect.stringMatching(/^No .* matches$/)]);
    for (const title of await titles(address)) expect(title).not.toMatch(/matches$/);
  },
);
