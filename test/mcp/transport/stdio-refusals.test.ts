import { expect, it } from "vitest";
import { listServers } from "../../../src/endpoints/api/server/list-servers.ts";
import { testApp } from "../../support/test-app.ts";
import { overRest } from "../../support/over-rest.ts";
import { facesOf } from "../../support/faces.ts";

it("[OUR-PAR-02] [OUR-PAR-03] refuses a bad input beyond the token limit or a window as REST does, and says that nothing was counted", async () => {
  const tight = testApp({
    plans: { free: { hourly_calls: 0 }, pro: { daily_calls: 0, tokens: 1 } },
  });
  const both = facesOf(tight.app);
  const base = await both.http.listen({ host: "127.0.0.1", port: 0 });
  const poor = await tight.account("pro");
  const older = await tight.token(poor);
  tight.clock.advance(1000);
  for (const [secret, code] of [
    [older.secret, "token_quota_exceeded"],
    [(await tight.token(poor)).secret, "daily_quota_exceeded"],
    [(await tight.token(await tight.account("free"))).secret, "rate_limited"],
  ] as const) {
    const client = overRest({ url: base, token: secret, report: () => {} });
    const rest = await both.rest(listServers, {}, secret);
    const told = await client.call(listServers, { limit: "5" }, "r");
    expect(rest.body["error"]).toBe(code);
    expect(told).toMatchObject({ body: rest.body, counted: false, credential: false });
    await client.close();
  }
  await both.http.close();
  await tight.close();
});
