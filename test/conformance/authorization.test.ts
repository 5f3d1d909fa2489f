import { expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { register } from "../oauth/program.ts";
import { signedIn } from "../support/visitor.ts";
import { roomyPlans, startTestService } from "../support/service.ts";
import { runSuite, type Check } from "./suite.ts";

const scenarios = ["authorization-server-metadata-endpoint", "authorization-code-grant"];

it("[OUR-MCP-42] passes the conformance suite's scenarios of an authorization server, with a person who consents", async () => {
  const service = await startTestService({ plans: roomyPlans });
  const { baseUrl } = service.app;
  const port = await freePort();
  const account = await service.account();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const { json } = await register(service, { redirect_uris: [redirect] });
  const consenting: Promise<void>[] = [];
  const consent = async (authorize: string): Promise<void> => {
    const visitor = await signedIn(service, account);
    const { pathname, search } = new URL(authorize);
    const asked = await visitor.get(pathname + search);
    const allowed = await visitor.send(asked.headers.location ?? "", "allow", { scope: ["servers:read"] });
    const resumed = await visitor.get(allowed.headers.location ?? "");
    // The browser follows to the program, where the suite waits.
    expect((await fetch(resumed.headers.location ?? "")).status).toBe(200);
  };
  const { checks, printed } = await runSuite(
    [
      "authorization",
      `--url=${baseUrl}`,
      `--client-id=${String(json["client_id"])}`,
      `--resource=${baseUrl}/mcp`,
      `--port=${port}`,
    ],
    (line) => void (line.startsWith(`${baseUrl}/oauth/authorize?`) && consenting.push(consent(line))),
  );
  await Promise.all(consenting);
  const bad = [...checks].flatMap(([scenario, found]) =>
    found
      .filter(({ status }: Check) => status !== "SUCCESS")
      .map(({ id, status, errorMessage }) => `${scenario}: ${id}: ${status} ${errorMessage ?? ""}`),
  );
  expect(bad).toEqual([]);
  expect([...checks.keys()].toSorted(), printed).toEqual(scenarios.toSorted());
  console.log(`authorization scenarios of the suite: ${checks.size} of ${scenarios.length} pass`);
  expect(service.defects).toEqual([]);
  await service.close();
});
