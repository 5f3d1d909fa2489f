import { afterAll, describe, expect, it } from "vitest";
import { runnerClient } from "../../src/outbound/runner-client.ts";
import { until } from "../support/service-process.ts";
import { caller, Demo, removeDirectories, rowsOf } from "./child.ts";

afterAll(removeDirectories);

describe("the demo's auto-bench", () => {
  it("[OUR-AUT-23] [AUT-08] has idle targets and a first job with its report within a minute", async () => {
    const demo = new Demo(["--json", "--port", "0"]);
    const line = await demo.line();
    const from = performance.now();
    const call = caller(line, "enterprise");
    const owls = line.servers.find(({ name }) => name === "Night Owls")?.id;
    let idle = 0;
    for (const plan of ["pro", "hosting", "enterprise"] as const) {
      const targets = rowsOf(await caller(line, plan)("GET", "/auto-bench/targets"));
      expect(targets.length, plan).toBeGreaterThan(0);
      const own = new Set(line.servers.filter(({ account }) => account === plan).map(({ id }) => id));
      for (const target of targets) expect(own).toContain(target["server_id"]);
      idle += targets.filter((target) => target["job_in_flight_id"] === null).length;
    }
    expect(idle).toBeGreaterThanOrEqual(3);
    const job = async () =>
      rowsOf(await call("GET", "/auto-bench/jobs")).find((row) => row["server_id"] === owls);
    // Calls of the account are counted: one every two seconds is enough.
    await until(
      "a job has its report",
      async () => {
        const [seen] = await Promise.all([job(), new Promise((resolve) => setTimeout(resolve, 2000))]);
        return typeof seen?.["report_id"] === "string";
      },
      60_000,
    );
    console.log(`a job had its report after ${((performance.now() - from) / 1000).toFixed(1)} s`);
    const done = await job();
    const report = await call("GET", `/reports/${String(done?.["report_id"])}`);
    expect(report.body).toMatchObject({ source: "auto_bench", server_id: done?.["server_id"] });
    expect((await demo.end()).status).toBe(0);
  }, 120_000);

  it("[OUR-AUT-23] under --still nobody takes a job but who has the runner's key", async () => {
    const demo = new Demo(["--json", "--port", "0", "--still"]);
    const line = await demo.line();
    const call = caller(line, "pro");
    const [target] = rowsOf(await call("GET", "/auto-bench/targets"));
    const launched = await call("POST", `/auto-bench/targets/${String(target?.["id"])}/run-now`, {});
    expect(launched).toMatchObject({ status: 202, body: { status: "queued" } });
    const runner = runnerClient(line.base_url, line.runner_key);
    const job = await runner.claim("a test");
    expect(job?.id).toBe(launched.body["job_id"]);
    expect(await runner.claim("a test")).toBeNull();
    await demo.end("SIGKILL");
  });
});
