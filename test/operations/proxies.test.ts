import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/app/config/config.ts";
import { bodyLimitsOf } from "../../src/contract/limits/body-limits.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { freePort } from "../support/free-port.ts";
import { hasProgram, runProgram, type RunningProgram } from "../support/programs.ts";
import { rawClient, requestText } from "../support/raw-client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { until } from "../support/service-process.ts";
import { caddyOfGuide, drainSecondsOfGuide } from "../support/two-upstreams.ts";

const guide = readFileSync("resources/guides/proxy.md", "utf8");
const scratch = mkdtempSync(join(tmpdir(), "tickmark-proxies-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? "";

/** The largest body that any route takes, bytes. */
const largest = Math.max(...pluginEndpoints.map((endpoint) => bodyLimitsOf(endpoint).bytes));

interface Ports {
  readonly proxy: number;
  readonly service: number;
}

interface Proxy {
  readonly program: string;
  readonly versionArgument: string;
  /** The guide's configuration for these ports, without TLS, written to a file; how to run it. */
  readonly prepare: (ports: Ports) => { args: string[]; environment?: Record<string, string> };
}

const caddy: Proxy = {
  program: "caddy",
  versionArgument: "version",
  prepare: ({ proxy, service }) => {
    const file = join(scratch, "Caddyfile");
    const site = block("caddy")
      .replace("tickmark.example", `http://127.0.0.1:${proxy}`)
      .replace("127.0.0.1:8080", `127.0.0.1:${service}`);
    writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
    return {
      args: ["run", "--config", file, "--adapter", "caddyfile"],
      environment: { HOME: scratch, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch },
    };
  },
};

const nginx: Proxy = {
  program: "nginx",
  versionArgument: "-v",
  prepare: ({ proxy, service }) => {
    const file = join(scratch, "nginx.conf");
    const [secure = ""] = block("nginx").split("server {\n    listen 80;");
    const site = secure
      .replace("listen 443 ssl", `listen 127.0.0.1:${proxy}`)
      .replaceAll(/^ +ssl_certificate.*\n/gm, "")
      .replace("127.0.0.1:8080", `127.0.0.1:${service}`);
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => {
      mkdirSync(join(scratch, name));
      return `${name}_temp_path ${join(scratch, name)};`;
    });
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${join(scratch, "nginx.pid")}; error_log stderr;
events {}
http { access_log off; ${folders.join(" ")}
${site} }`,
    );
    return { args: ["-c", file, "-p", scratch, "-e", "stderr"] };
  },
};

interface Sent {
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** One request to the proxy from an address of this machine. */
const send = (
  port: number,
  method: string,
  path: string,
  { from = "127.0.0.1", headers = {}, body }: Sent = {},
) =>
  new Promise<{ status: number; headers: IncomingMessage["headers"]; body: string }>((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, method, path, localAddress: from, headers: { ...headers }, agent: false },
      (incoming) => {
        text(incoming).then(
          (read) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: read }),
          reject,
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });

it("[OUR-CFG-03] a base URL with a path is refused, because links would not lead there", () => {
  const secret = { TICKMARK_SECRET: "0123456789abcdef" };
  expect(() => readConfig({ ...secret, TICKMARK_BASE_URL: "https://example.org/tickmark" })).toThrow(
    /^TICKMARK_BASE_URL takes [^\n]*without a path[^\n]*\.$/,
  );
  expect(readConfig({ ...secret, TICKMARK_BASE_URL: "https://example.org/" }).baseUrl).toBe(
    "https://example.org",
  );
});

it("[OUR-OPS-06] the guide's proxies take bodies as large as any route does", () => {
  const megabytes = Number(/client_max_body_size (\d+)m;/.exec(block("nginx"))?.[1]);
  expect(megabytes * 1024 * 1024).toBeGreaterThanOrEqual(largest);
  expect(guide).toContain(`accept bodies of ${megabytes} MiB`);
});

for (const proxy of [caddy, nginx]) {
  const { program } = proxy;
  describe.skipIf(!hasProgram(program, proxy.versionArgument))(`${program} of the distribution`, () => {
    let service: TestService;
    let running: RunningProgram;
    let port: number;
    afterAll(async () => {
      // Caddy takes a minute to end by itself.
      await running.stop("SIGKILL");
      await service.close();
    });

    it("[OUR-OPS-06] passes on addresses, streams, and bodies of any size, as the guide says", async () => {
      port = await freePort();
      service = await startTestService({
        trustProxy: "127.0.0.1",
        baseUrl: `http://127.0.0.1:${port}`,
        plans: { free: { daily_calls: 1000 }, pro: { daily_calls: 1000 } },
      });
      const { args, environment } = proxy.prepare({ proxy: port, service: service.port });
      running = runProgram(program, args, environment);
      await until(`${program} answers`, () =>
        send(port, "GET", "/livez").then(
          ({ status }) => status === 200,
          () => false,
        ),
      );

      // Addresses: each client has windows of its own, whatever it says of itself.
      const left = async (from: string, headers = {}): Promise<number> => {
        const answer = await send(port, "GET", "/api/v1/reports", { from, headers });
        expect(answer.status).toBe(200);
        return Number(answer.headers["x-ratelimit-remaining"]);
      };
      const first = await left("127.0.0.2");
      expect(await left("127.0.0.3")).toBe(first);
      expect(await left("127.0.0.2", { "x-forwarded-for": "192.0.2.9" })).toBe(first - 1);

      // Streams: the first event of a stream that stays open arrives.
      const owner = await service.account();
      const secret = await service.token(owner);
      const accept = "application/json, text/event-stream";
      const authorization = `Bearer ${secret}`;
      const json = { "content-type": "application/json" };
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "a test", version: "1.0.0" },
      };
      const begun = await send(port, "POST", "/mcp", {
        headers: { ...json, accept, authorization },
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })),
      });
      expect(begun.status).toBe(200);
      const session = {
        authorization,
        "mcp-session-id": String(begun.headers["mcp-session-id"]),
        "mcp-protocol-version": params.protocolVersion,
      };
      const host = `127.0.0.1:${port}`;
      const stream = await rawClient(port, requestText("GET", "/mcp", { host, ...session, accept }));
      await stream.received(/^HTTP\/1\.1 200 .*text\/event-stream.*(?:retry|event|data): ?/is);
      expect(stream.socket.destroyed).toBe(false);
      stream.socket.destroy();

      // Bodies: the answer is the service's own, for one that is too long, and for the longest that a route takes.
      const long = await send(port, "POST", "/api/v1/server-groups", {
        headers: { ...json, authorization },
        body: Buffer.alloc(1024 * 1024 + 1, " "),
      });
      expect([long.status, JSON.parse(long.body)]).toMatchObject([413, { error: "too_large" }]);
      const { credential } = await service.server(owner);
      const upload = await send(port, "POST", "/plugin/v1/profiles", {
        headers: { ...json, authorization: `Bearer ${credential}` },
        body: Buffer.alloc(largest, " "),
      });
      expect([upload.status, JSON.parse(upload.body)]).toMatchObject([400, { error: "invalid_json" }]);
      expect(service.defects).toEqual([]);
    });
  });
}

it.skipIf(!hasProgram("caddy", "version"))(
  "[OUR-OPS-09] Caddy of two processes loses no write while one of them ends",
  async () => {
    const port = await freePort();
    const settings = { TICKMARK_DRAIN_SECONDS: "2" };
    const services = [await startTestService({ settings }), await startTestService({ settings })] as const;
    const [ending, staying] = services;
    const folder = mkdtempSync(join(scratch, "two-"));
    const { args, environment } = caddyOfGuide.prepare(folder, port, [ending.port, staying.port]);
    const running = runProgram("caddy", args, environment);
    try {
      const write = async (): Promise<number> => (await send(port, "POST", "/of-this-test")).status;
      await until("Caddy answers", async () => (await write().catch(() => 0)) === 404);
      const ended = new AbortController();
      const closing = ending.close().finally(() => ended.abort());
      const statuses = new Map<number, number>();
      while (!ended.signal.aborted) {
        const status = await write();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      await closing;
      expect([...statuses.keys()]).toEqual([404]);
      expect(statuses.get(404)).toBeGreaterThan(20);
      expect(await write()).toBe(404);
    } finally {
      await running.stop("SIGKILL");
      await staying.close();
    }
  },
);

it("[OUR-OPS-09] compose.postgres.yaml and the guide give Caddy the time to notice a process that stops", () => {
  const composed = readFileSync("compose.postgres.yaml", "utf8");
  for (const text of [guide, composed]) {
    const drain = Number(/TICKMARK_DRAIN_SECONDS[=:] ?"?(\d+)/.exec(text)?.[1]);
    const interval = Number(/health_interval (\d+)s/.exec(text)?.[1]);
    expect(drain).toBeGreaterThanOrEqual(3 * interval);
    expect(text).toContain("health_uri /readyz");
  }
  const grace = Number(/stop_grace_period: (\d+)s/.exec(composed)?.[1]);
  const { drainMs, stopMs } = readConfig({
    TICKMARK_SECRET: "0123456789abcdef",
    TICKMARK_DRAIN_SECONDS: drainSecondsOfGuide,
  });
  expect(grace * 1000).toBeGreaterThan(drainMs + stopMs + 1000);
});

it.skipIf(!hasProgram("caddy", "version"))(
  "[OUR-OPS-06] Caddy takes the site of compose.postgres.yaml",
  () => {
    const compose = readFileSync("compose.postgres.yaml", "utf8");
    const site = /content: \|\n([^]*?)\nnetworks:/.exec(compose)?.[1] ?? "";
    expect(site).toContain("reverse_proxy one:8080 two:8080");
    const file = join(scratch, "Caddyfile.compose");
    writeFileSync(
      file,
      site.replaceAll("$$", "$").replaceAll("{$TICKMARK_DOMAIN}", "http://tickmark.example"),
    );
    const checked = spawnSync("caddy", ["validate", "--config", file, "--adapter", "caddyfile"], {
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: scratch,
        XDG_DATA_HOME: scratch,
        XDG_CONFIG_HOME: scratch,
      },
    });
    expect(checked.stderr + checked.stdout).toContain("Valid configuration");
  },
);
