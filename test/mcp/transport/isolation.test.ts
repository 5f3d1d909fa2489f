import { expect, it } from "vitest";
import { envelope, testConnector } from "../../support/connector.ts";
import { roomy, testApp } from "../../support/test-app.ts";
import { reportedStrings } from "../../support/hostile-names.ts";

it("[OUR-MCP-22] shows two interleaved accounts none of each other's data in 2,000 calls with the same request ids", async () => {
  const at = testApp({ plans: roomy });
  const connector = testConnector(at);
  const parties = await Promise.all(
    ["first", "second"].map(async (name) => {
      const account = await at.account();
      return { name, secret: (await at.token(account)).secret, server: await at.server(account, { name }) };
    }),
  );
  const calls = Array.from({ length: 1000 }, (_, index) =>
    parties.map(async ({ name, secret, server }) => {
      const { structured } = await connector.tool(secret, "list_servers", {}, { modern: index % 2 === 0 });
      const rows = structured?.["data"] as { id: string; name: string }[];
      return rows.length === 1 && rows[0]?.id === server.id && rows[0].name === name;
    }),
  );
  const answers = await Promise.all(calls.flat());
  const foreign = answers.filter((own) => !own).length;
  console.log(`${answers.length} interleaved calls, foreign answers ${foreign}`);
  expect(foreign).toBe(0);
  await at.close();
});

it("[OUR-MCP-21] sends every message as one line of JSON, whatever names hold", async () => {
  const at = testApp({ plans: roomy });
  const connector = testConnector(at);
  const account = await at.account();
  const { secret } = await at.token(account);
  for (const name of reportedStrings) await at.server(account, { name });
  let messages = 0;
  let lines = 0;
  for (const modern of [false, true]) {
    for (const accept of ["application/json", "application/json, text/event-stream"]) {
      for (let cursor: unknown = undefined; cursor !== null;) {
        const meta = { progressToken: 1, ...(modern && envelope) };
        const params = {
          name: "list_servers",
          arguments: { ...(cursor !== undefined && { cursor }) },
          _meta: meta,
        };
        const headers = {
          accept,
          ...(modern && {
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": "list_servers",
          }),
        };
        const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
        const answer = await connector.raw(secret, { headers, body });
        const message = (answer.body ?? "").replace(/^event: message\ndata: /, "").replace(/\n\n$/, "");
        messages += 1;
        lines += message.split(/\r\n|[\n\r\u2028\u2029\u0085]/).length;
        expect(message).not.toMatch(/[<>&`]|!\[/);
        const { page } = (
          JSON.parse(message) as { result: { structuredContent: { page: { cursor: string | null } } } }
        ).result.structuredContent;
        cursor = page.cursor;
      }
    }
  }
  console.log(
    `lines per message ${lines / messages} over ${messages} messages with ${reportedStrings.length} hostile names`,
  );
  expect(lines).toBe(messages);
  await at.close();
});
