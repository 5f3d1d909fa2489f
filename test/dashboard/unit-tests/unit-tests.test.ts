import { afterAll, beforeAll, expect, it } from "vitest";
import { callAsPerson } from "../../../src/contract/call/call-as-person.ts";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { Refusal } from "../../../src/core/errors.ts";
import { deleteUnitTest } from "../../../src/actions/unit-test/delete-unit-test.ts";
import { setUnitTestVisibility } from "../../../src/actions/unit-test/set-unit-test-visibility.ts";
import { readHtml } from "../../support/html.ts";
import { startTestService, type Json, type LinkedServer, type TestService } from "../../support/service.ts";
import { rampPayload, unitTestPayload } from "../../support/unit-test.ts";
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

async function uploaded(body: Json = unitTestPayload(), of: LinkedServer = server): Promise<string> {
  const sent = await service.request("POST", "/plugin/v1/unit-tests", { token: of.credential, body });
  const [id = ""] = sent.json["ids"] as string[];
  return id;
}

const opens = async (id: string): Promise<number> => (await visitor(service).get(`/unit-tests/${id}`)).status;

it("[OUR-RPG-08] is published and hidden on its page, and deleted after a question", async () => {
  const id = await uploaded();
  const path = `/unit-tests/${id}`;
  expect(await opens(id)).toBe(404);
  expect((await own.send(path, "visibility", { visibility: "public" })).status).toBe(303);
  expect(await opens(id)).toBe(200);
  expect((await visitor(service).get("/unit-tests")).text).toContain(`/unit-tests/`);
  expect((await visitor(service).get(path)).text).not.toContain('name="do"');
  await own.send(path, "visibility", { visibility: "private" });
  expect(await opens(id)).toBe(404);
  expect((await own.send(path, "delete")).status).toBe(400);
  expect((await own.send(path, "delete", { sure: "on" })).headers.location).toBe("/unit-tests?mine=true");
  expect((await own.get(path)).status).toBe(404);
});

it("[OUR-RPG-08] belongs to its author, and publishing it has the conditions of publishing a report", async () => {
  const { app } = service;
  const as = async (account: Account) => {
    const { secret } = await startSession(app, account, null, app.clock());
    return personOf(app, secret, "127.0.0.1", app.clock());
  };
  const codeOf = (pending: Promise<unknown>): Promise<string> =>
    pending.then(
      () => "done",
      (error: Refusal) => error.code,
    );
  const publish = async (account: Account, unit_test_id: string) =>
    codeOf(
      callAsPerson(
        app,
        setUnitTestVisibility,
        await as(account),
        { unit_test_id, visibility: "public" },
        "t",
      ),
    );
  const remove = async (account: Account, unit_test_id: string) =>
    codeOf(callAsPerson(app, deleteUnitTest, await as(account), { unit_test_id }, "t"));
  const [stranger, admin] = [await service.account(), await service.account("pro", "admin")];
  const id = await uploaded();
  expect([await publish(stranger, id), await remove(stranger, id)]).toEqual(["not_found", "not_found"]);
  expect([await publish(admin, id), await remove(admin, id)]).toEqual(["not_owner", "not_owner"]);
  const links = "https://a.example https://b.example https://c.example https://d.example";
  expect(await publish(author, await uploaded(unitTestPayload({ description: links })))).toBe(
    "too_many_links",
  );
  const unverified = await service.account("pro", "user", { emailVerified: false });
  const theirs = await uploaded(unitTestPayload(), await service.server(unverified));
  expect(await publish(unverified, theirs)).toBe("email_not_verified");
  expect(await publish(author, id)).toBe("done");
  expect(await publish(stranger, id)).toBe("not_owner");
});

it("[OUR-RPG-03] shows a ramp rung by rung, and the plugin's own words, to who may see it", async () => {
  const id = await uploaded(rampPayload({ metrics: { own: { deep: [1, null] } } }));
  const text = readHtml((await own.get(`/unit-tests/${id}`)).text).text.replaceAll(/\s+/g, " ");
  expect(text).toContain("Last load that passed100 entities");
  expect(text).toContain("Load that broke it125 entities");
  expect(text).toContain("own › deep › 01");
  expect(text).toContain("own › deep › 1null");
  expect(text).toContain("MSPT exceeded");
});

it("[OUR-RPG-09] is listed with the API's filters", async () => {
  const id = await uploaded(
    unitTestPayload({ test_id: "own_test", category: "own", display_name: "Only one" }),
  );
  const rows = async (query: string) => (await own.get(`/unit-tests?${query}`)).text.includes("Only one");
  expect(id).not.toBe("");
  expect(await rows("test_id=own_test&category=&benchmark_mode=standard&mine=true")).toBe(true);
  expect(await rows("test_id=entities_ai")).toBe(false);
  expect((await own.get("/unit-tests?benchmark_mode=custom")).status).toBe(400);
});
