import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { wording } from "../../../tools/wording.ts";
import { roomyPlans, startTestService } from "../../support/service.ts";
import { talkTo } from "../client.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-stdio-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("[OUR-MCP-46] goes on with the service that comes back, after telling that it was away", async () => {
  const options = { plans: roomyPlans, databaseUrl: `sqlite:${join(folder, "one.db")}` };
  const first = await startTestService(options);
  const owner = await first.account();
  const server = await first.server(owner, { name: "Lobby" });
  const client = talkTo(`http://127.0.0.1:${first.port}`, await first.token(owner));
  const named = async (): Promise<unknown> =>
    ((await client.tool("list_servers")).text["data"] as { id: string }[] | undefined)?.map(({ id }) => id);
  expect(await named()).toEqual([server.id]);
  await first.close();
  const away = await client.tool("list_servers");
  expect({ isError: away.isError, error: away.text["error"] }).toEqual({
    isError: true,
    error: "unavailable",
  });
  const second = await startTestService({ ...options, port: first.port });
  expect(await named()).toEqual([server.id]);
  expect((await client.tool("update_server", { server_id: server.id, name: "Hub" })).text["name"]).toBe(
    "Hub",
  );
  await client.end();
  await second.close();
});

it("[OUR-MCP-46] tells in one sentence what to do about a token that is missing or refused", async () => {
  const service = await startTestService({ plans: roomyPlans });
  const { tokenMissing, tokenRefused } = wording.notes;
  const url = `http://127.0.0.1:${service.port}`;
  const without = talkTo(url, null);
  expect((await without.tool("list_servers")).text).toMatchObject({
    error: "unauthorized",
    connector_notes: [tokenMissing],
  });
  const refused = talkTo(url, service.app.secrets.newSecret("api"));
  expect((await refused.tool("list_servers")).text).toMatchObject({
    error: "invalid_token",
    connector_notes: [tokenRefused],
  });
  const ref = { type: "ref/resource", uri: "tickmark://servers/{server_id}/status" };
  const completing = { ref, argument: { name: "server_id", value: "" } };
  expect((await refused.ask("completion/complete", completing)).error).toMatchObject({
    message: tokenRefused,
    data: { error: "invalid_token" },
  });
  for (const sentence of [tokenMissing, tokenRefused]) {
    expect(sentence.match(/[.!?](?: |$)/g)).toHaveLength(1);
    expect(sentence).toContain("TICKMARK_TOKEN");
  }
  await without.end();
  await refused.end();
  await service.close();
});
