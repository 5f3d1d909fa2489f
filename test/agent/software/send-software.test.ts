import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ServiceClient } from "../../../src/agent/send/service-client.ts";
import { SoftwareSender } from "../../../src/agent/send/software-sender.ts";
import { softwareFolder } from "../../../src/agent/software/software-folder.ts";
import { pluginClient } from "../../../src/outbound/plugin-client.ts";
import { jar } from "../../support/jars.ts";
import type { Json } from "../../support/service.ts";
import { until } from "../../support/service-process.ts";
import { unprivileged } from "../../support/unprivileged.ts";
import { installWith } from "../install.ts";
import { play, type Played } from "../played.ts";

let directory: string;
let played: Played;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "tickmark-software-"));
  mkdirSync(join(directory, "plugins"));
  played = await play({ software: softwareFolder(installWith({ directory })) });
});
afterEach(async () => {
  expect(played.service.defects).toEqual([]);
  await played.close();
  rmSync(directory, { recursive: true });
});

const path = (name: string): string => join(directory, "plugins", `${name}.jar`);
const plugin = (name: string, version: string): void =>
  writeFileSync(path(name), jar("plugin.yml", { name, version }));

/** What the service has of the server's software. */
async function software(): Promise<{ plugins: string[] | null; receivedAt: number }> {
  const token = await played.service.token(played.server.owner);
  const { json } = await played.service.request("GET", `/api/v1/servers/${played.server.id}/software`, {
    token,
  });
  const plugins = json["plugins"] as { name: string; version: string }[] | null;
  return {
    plugins: plugins?.map(({ name, version }) => `${name} ${version}`) ?? null,
    receivedAt: Date.parse(String(json["received_at"])),
  };
}
const changes = async (): Promise<unknown[]> =>
  (await played.events())
    .filter(({ source }) => source === "tickmark")
    .map(({ type, metadata }) => `${String(type)} ${String((metadata as Json)["subject"])}`);

it("[OUR-AGW-12] [OUR-AGW-14] the inventory is sent at the start, and again only where something changed", async () => {
  plugin("Shop", "1.0");
  await played.pass(1);
  const first = await software();
  expect(first.plugins).toEqual(["Shop 1.0"]);
  await played.pass(10 * 60);
  expect((await software()).receivedAt).toBe(first.receivedAt);
  plugin("Maps", "2");
  await played.pass(31);
  // It may still be copied.
  expect((await software()).plugins).toEqual(["Shop 1.0"]);
  await played.pass(31);
  expect((await software()).plugins).toEqual(["Maps 2", "Shop 1.0"]);
  expect(await changes()).toEqual(["plugin_added Maps"]);
});

it("[OUR-AGW-12] at a boot the inventory is read at once", async () => {
  plugin("Shop", "1.0");
  played.process(41);
  await played.pass(1);
  plugin("Shop", "1.1");
  played.process(42);
  await played.pass(31);
  expect((await software()).plugins).toEqual(["Shop 1.1"]);
});

it("[OUR-AGW-15] a jar that cannot be opened is reported once and tried again, though nothing of it changed", async () => {
  await played.close();
  const folder = softwareFolder(installWith({ directory }));
  let isBroken = true;
  played = await play({
    software: {
      ...folder,
      read: (signal) => (isBroken ? unprivileged(() => folder.read(signal)) : folder.read(signal)),
    },
  });
  chmodSync(directory, 0o755);
  plugin("Shop", "1.0");
  chmodSync(path("Shop"), 0);
  await played.pass(21 * 60);
  expect((await software()).plugins).toEqual(["Shop.jar null"]);
  const about = played.lines.filter((line) => line.includes("cannot be read"));
  expect(about).toEqual([`Of the server's plugins and settings 1 cannot be read, such as ${path("Shop")}.`]);
  isBroken = false;
  if (process.geteuid?.() !== 0) chmodSync(path("Shop"), 0o644);
  await played.pass(10 * 60);
  expect((await software()).plugins).toEqual(["Shop 1.0"]);
});

it("[OUR-AGW-04] [OUR-AGW-15] a folder that is a link is reported once, and read once it is none", async () => {
  plugin("Shop", "1.0");
  const [plugins, elsewhere] = [join(directory, "plugins"), join(directory, "elsewhere")];
  renameSync(plugins, elsewhere);
  symlinkSync(elsewhere, plugins);
  await played.pass(21 * 60);
  expect((await software()).plugins).toBeNull();
  expect(played.lines.filter((line) => line.includes("cannot be read"))).toEqual([
    `Of the server's plugins and settings 1 cannot be read, such as ${plugins}, which is a link.`,
  ]);
  rmSync(plugins);
  renameSync(elsewhere, plugins);
  await played.pass(62);
  expect((await software()).plugins).toEqual(["Shop 1.0"]);
  renameSync(plugins, elsewhere);
  symlinkSync(elsewhere, plugins);
  await played.pass(62);
  expect(played.lines.filter((line) => line.includes("cannot be read"))).toHaveLength(2);
  expect(await changes()).toEqual([]);
});

it("[OUR-AGW-15] an inventory that does not come through is sent once the service answers", async () => {
  plugin("Shop", "1.0");
  played.wire.lead(null);
  await played.pass(5 * 60);
  expect(played.lines.filter((line) => line.includes("cannot be reached"))).toHaveLength(1);
  played.wire.lead(played.service.port);
  await played.pass(91);
  expect((await software()).plugins).toEqual(["Shop 1.0"]);
});

it("[OUR-AGW-15] a folder that cannot be read is reported once and tried again", async () => {
  await played.close();
  let isBroken = true;
  const folder = softwareFolder(installWith({ directory }));
  played = await play({
    software: {
      ...folder,
      mark: async () => (isBroken ? Promise.reject(new Error("EIO: disk")) : folder.mark()),
    },
  });
  plugin("Shop", "1.0");
  await played.pass(21 * 60);
  const about = played.lines.filter((line) => line.includes("plugins and settings"));
  expect(about).toEqual(["The server's plugins and settings cannot be read (EIO: disk)."]);
  isBroken = false;
  await played.pass(10 * 60);
  expect((await software()).plugins).toEqual(["Shop 1.0"]);
});

it("[OUR-AGW-16] samples go on while the software is read, and the end of the agent ends the reading", async () => {
  await played.close();
  played = await play({
    software: {
      mark: async () => "",
      read: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("ended")));
        }),
    },
  });
  const agent = played.agent();
  await until("four samples", async () => {
    for (let second = 0; second < 30; second += 1) {
      await agent.tick();
      played.clock.advance(1000);
    }
    return (await played.series()).points >= 4;
  });
  await agent.end();
  expect(played.lines.join()).not.toContain("cannot be read");
});

it("[OUR-AGW-15] an older service takes no inventory: it is reported once, and nothing else waits for it", async () => {
  const requests: string[] = [];
  const older = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => response.writeHead(404).end("{}"));
  });
  older.listen(0, "127.0.0.1");
  await once(older, "listening");
  const { port } = older.address() as { port: number };
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line);
  const service = new ServiceClient(pluginClient(`http://127.0.0.1:${port}`), played.clock.now, tell);
  const parts = { service, elapsed: played.clock.now, tell };
  const sender = new SoftwareSender(softwareFolder(installWith({ directory })), parts);
  for (let boot = 1; boot < 4; boot += 1) await sender.look({ process: null, bootedAt: boot });
  expect(requests).toEqual(["PUT /plugin/v1/software"]);
  expect(lines).toEqual([expect.stringContaining("older than this agent")]);
  expect(service.open).toBe(true);
  older.close();
});
