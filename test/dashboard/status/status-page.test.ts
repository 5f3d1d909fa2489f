import { describe, expect, it } from "vitest";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { deleteStatusPage } from "../../../src/actions/status-page/delete-status-page.ts";
import { moveStatusPage } from "../../../src/actions/status-page/move-status-page.ts";
import { updateStatusPage } from "../../../src/actions/status-page/update-status-page.ts";
import { unlinkServer } from "../../../src/actions/server/unlink-server.ts";
import { selectStatusAddress } from "../../../src/store/status-page/status-pages.ts";
import { asPerson, refusalOf } from "../../support/as-person.ts";
import { minuteMs, secondMs } from "../../support/clock.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import { readHtml } from "../../support/html.ts";
import { served } from "../../support/scene.ts";
import { playedServer } from "../servers/played-server.ts";
import { publish, shownAt, textsOf } from "./publishing.ts";

const shared = served();

/** An owner with a server that runs and has 12 players. */
async function running() {
  const { service, clock } = shared;
  clock.advance(10 * minuteMs);
  const owner = await service.account("hosting");
  const server = await playedServer(service, owner, "Own name of the server");
  const booted = new Date(clock.now() - 5 * minuteMs).toISOString();
  await server.beat({ tps: 20, player_count: 12 }, { boot_timestamp: booted });
  return { service, clock, owner, server, call: await asPerson(service, owner) };
}

describe("what everybody sees", () => {
  it("[OUR-STP-05] [OUR-STP-10] shows the title, the chosen names, the state and the players", async () => {
    const { service, owner, server } = await running();
    const { address } = await publish(service, owner, [[server.id, "Survival & more"]], { title: "Blocks" });
    const { page, badge, chart } = await shownAt(service, address);
    expect([page.status, badge.status, chart.status]).toEqual([200, 200, 200]);
    const { text } = readHtml(page.text);
    for (const words of ["Blocks", "Survival & more", "Online", "12 players", "90 days", "No incident."])
      expect(text).toContain(words);
    expect(badge.text).toContain('aria-label="Blocks: Online · 12 players"');
    expect(readHtml(chart.text).text).toContain("Online · 12 players");
    expect(textsOf({ page, badge, chart })).not.toContain("Own name");
    const hidden = await publish(service, owner, [[server.id, "Survival"]], { shows_players: false });
    expect(textsOf(await shownAt(service, hidden.address))).not.toMatch(/players?\b/);
  });

  it("[OUR-STP-12] [OUR-STP-14] is the same for everybody, may be kept for a minute, and is sent once", async () => {
    const { service, owner, server } = await running();
    const { address } = await publish(service, owner, [[server.id, "Survival"]]);
    const shown = await shownAt(service, address);
    for (const [part, answer] of Object.entries(shown)) {
      const { headers } = answer;
      expect(headers["set-cookie"]).toBeUndefined();
      expect(headers["cache-control"]).toBe("public, max-age=60");
      expect(headers["cross-origin-resource-policy"]).toBe(part === "page" ? "same-origin" : "cross-origin");
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers["x-frame-options"]).toBe("DENY");
      const path = `/status/${address}${part === "page" ? "" : `/${part}.svg`}`;
      const again = await service.request("GET", path, {
        headers: { cookie: "tickmark=anything; tickmark_form=x", "if-none-match": `W/${headers["etag"]}` },
      });
      expect([again.status, again.text, again.headers["etag"]]).toEqual([304, "", headers["etag"]]);
      expect(again.headers["set-cookie"]).toBeUndefined();
      const head = await service.request("HEAD", path);
      expect([head.status, head.headers["etag"]]).toEqual([200, headers["etag"]]);
    }
    expect(shown.page.text).not.toMatch(/<(script|form|iframe|object)/);
    expect(shown.page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(shown.badge.headers["content-type"]).toBe("image/svg+xml; charset=utf-8");
  });

  it("[OUR-STP-11] is renewed after a minute, and at once when the owner changes it", async () => {
    const { service, clock, owner, server, call } = await running();
    const { id, address } = await publish(service, owner, [[server.id, "Survival"]]);
    expect(textsOf(await shownAt(service, address))).toContain("12 players");
    clock.advance(30 * secondMs);
    await server.beat({ tps: 20, player_count: 77 });
    expect(textsOf(await shownAt(service, address))).toContain("12 players");
    clock.advance(30 * secondMs);
    expect(textsOf(await shownAt(service, address))).toContain("77 players");
    const servers = [{ server_id: server.id, name: "Renamed" }];
    await call(updateStatusPage, { status_page_id: id, title: "T", shows_players: true, servers });
    expect(textsOf(await shownAt(service, address))).toContain("Renamed");
  });

  it("[OUR-STP-08] has as many days as the plan shows, and says how long an outage was", async () => {
    const { service, clock } = shared;
    const owner = await service.account("pro");
    const server = await playedServer(service, owner, "x");
    const beat = () => server.beat({ tps: 20, player_count: 0 });
    await beat();
    clock.advance(10 * minuteMs);
    await beat();
    const { address } = await publish(service, owner, [[server.id, "Survival"]]);
    const { text } = (await shownAt(service, address)).page;
    expect(text).toContain("Availability of the last 30 days");
    expect(text).toContain("29 days: not measured");
    expect(readHtml(text).text).toContain("20 Nov: 10 min");
  });

  it("[OUR-STP-06] no name adds an element, and hidden characters are visible", async () => {
    const { service, owner, server } = await running();
    const elements = (text: string) => readHtml(text).elements;
    const attributes = (text: string) => readHtml(text).attributes.map(([name]) => name);
    // eslint-disable-next-line no-control-regex
    const typed = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
    const plain = await shownAt(
      service,
      (await publish(service, owner, [[server.id, "Plain"]], { title: "Plain" })).address,
    );
    const { id, address } = await publish(service, owner, [[server.id, "x"]]);
    const call = await asPerson(service, owner);
    let nodes = 0;
    for (const text of [...reportedStrings, "'\"><svg/onload=alert(1)>", "]]><!-- --> &amp; <a href=x>"]) {
      const name = Array.from(typed(text)).slice(0, 60).join("");
      await call(updateStatusPage, {
        status_page_id: id,
        title: name,
        shows_players: true,
        servers: [{ server_id: server.id, name }],
      });
      const shown = await shownAt(service, address);
      for (const part of ["page", "badge", "chart"] as const) {
        expect([name, elements(shown[part].text)]).toEqual([name, elements(plain[part].text)]);
        expect([name, attributes(shown[part].text)]).toEqual([name, attributes(plain[part].text)]);
        expect(shown[part].text).not.toMatch(/[\u200b\u202e\u2028\u2029]/);
        nodes += elements(shown[part].text).length;
      }
    }
    console.log(`${nodes} nodes of status pages with hostile names: none more than with plain ones`);
  });
});

describe("an address", () => {
  it("[OUR-STP-04] leads nowhere after the page was moved or deleted", async () => {
    const { service, owner, server, call } = await running();
    const { id, address } = await publish(service, owner, [[server.id, "Survival"]]);
    expect(address).toMatch(/^[2-9a-z]{20}$/);
    expect((await shownAt(service, address)).page.status).toBe(200);
    const moved = await call(moveStatusPage, { status_page_id: id, address: "my-own-address" });
    expect(moved.address).toBe("my-own-address");
    for (const { status, headers } of Object.values(await shownAt(service, address))) {
      expect(status).toBe(404);
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["set-cookie"]).toBeUndefined();
    }
    expect((await shownAt(service, moved.address)).page.status).toBe(200);
    await call(deleteStatusPage, { status_page_id: id });
    expect((await shownAt(service, moved.address)).page.status).toBe(404);
  });

  it("[OUR-STP-04] a server that is unlinked is gone at once, and stays away when it returns", async () => {
    const { service, owner, server, call } = await running();
    const { address } = await publish(service, owner, [[server.id, "Survival"]]);
    expect(textsOf(await shownAt(service, address))).toContain("Survival");
    await call(unlinkServer, { server_id: server.id });
    const shown = await shownAt(service, address);
    expect([shown.page.status, textsOf(shown).includes("Survival")]).toEqual([200, false]);
    expect(readHtml(shown.page.text).text).toContain("No server");
  });

  it("[OUR-STP-04] the pages of a suspended account are gone at once", async () => {
    const { service, owner, server } = await running();
    const { address } = await publish(service, owner, [[server.id, "Survival"]]);
    expect((await shownAt(service, address)).page.status).toBe(200);
    await service.app.db.write(changeRole, owner.id, "suspended", Date.now());
    expect((await shownAt(service, address)).page.status).toBe(404);
  });

  it("[OUR-STP-02] is chosen in a form that people can type, and belongs to one page", async () => {
    const { service, owner, server } = await running();
    const at = (address: string): Promise<string> =>
      refusalOf(publish(service, owner, [[server.id, "Survival"]], { address }));
    for (const wrong of ["ab", "-abc", "abc-", "a--b", "Abc", "a b", "a/b", "ä-b", "x".repeat(41)])
      expect([wrong, await at(wrong)]).toEqual([wrong, "validation_error"]);
    expect(await at("abc")).toBe("done");
    expect(await at("abc")).toBe("invalid_state");
    expect(await at(`${"x".repeat(39)}1`)).toBe("done");
  });

  it("[OUR-STP-13] one without a page costs one read, and none after 60 of them", async () => {
    const { service, clock, owner, server } = await running();
    const { address } = await publish(service, owner, [[server.id, "Survival"]]);
    await shownAt(service, address);
    const { db } = service.app;
    const { read } = db;
    let reads = 0;
    Object.assign(db, {
      read: (...rest: Parameters<typeof read>) => {
        // The jobs of the service read meanwhile too.
        if (rest[0] === selectStatusAddress) reads += 1;
        return read.apply(db, rest);
      },
    });
    clock.advance(5 * minuteMs);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 70; attempt += 1)
      statuses.push((await service.request("GET", `/status/nobody-${attempt}`)).status);
    expect(statuses).toEqual([...Array<number>(60).fill(404), ...Array<number>(10).fill(429)]);
    expect(reads).toBe(60);
    const refused = await service.request("GET", "/status/nobody/badge.svg");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect((await shownAt(service, address)).page.status).toBe(200);
    clock.advance(secondMs);
    expect((await service.request("GET", "/status/NOBODY")).status).toBe(404);
    Object.assign(db, { read });
  });
});

describe("an owner", () => {
  it("[OUR-STP-01] publishes own servers alone, at most 25 on each of at most 10 pages", async () => {
    const { service, owner, server, call } = await running();
    const other = await running();
    expect(await refusalOf(publish(service, owner, [[other.server.id, "Theirs"]]))).toBe("not_found");
    expect(await refusalOf(publish(service, owner, []))).toBe("validation_error");
    const twice = [server.id, server.id].map((id) => [id, "x"] as const);
    expect(await refusalOf(publish(service, owner, twice))).toBe("validation_error");
    const many = Array.from({ length: 26 }, (_, index) => [`s${index}`, "x"] as const);
    expect(await refusalOf(publish(service, owner, many))).toBe("validation_error");
    const { id } = await publish(service, owner, [[server.id, "Survival"]]);
    const servers = [{ server_id: other.server.id, name: "Theirs" }];
    const change = { status_page_id: id, title: "T", shows_players: true, servers };
    expect(await refusalOf(call(updateStatusPage, change))).toBe("not_found");
    expect(await refusalOf(other.call(updateStatusPage, change))).toBe("not_found");
    expect(await refusalOf(other.call(moveStatusPage, { status_page_id: id }))).toBe("not_found");
    expect(await refusalOf(other.call(deleteStatusPage, { status_page_id: id }))).toBe("not_found");
    for (let page = 1; page < 10; page += 1) await publish(service, owner, [[server.id, "Survival"]]);
    expect(await refusalOf(publish(service, owner, [[server.id, "Survival"]]))).toBe("quota_exceeded");
  });

  it("[OUR-STP-03] needs monitoring, a verified address and texts that may be published", async () => {
    const { service } = shared;
    const free = await service.account("free");
    const one = await service.server(free);
    expect(await refusalOf(publish(service, free, [[one.id, "x"]]))).toBe("plan_required");
    const unverified = await service.account("pro", "user", { emailVerified: false });
    const two = await service.server(unverified);
    expect(await refusalOf(publish(service, unverified, [[two.id, "x"]]))).toBe("email_not_verified");
    const { owner, server } = await running();
    expect(await refusalOf(publish(service, owner, [[server.id, "fuck you"]]))).toBe("text_rejected");
    expect(await refusalOf(publish(service, owner, [[server.id, "x"]], { title: "fuck you" }))).toBe(
      "text_rejected",
    );
  });
});
