import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logSource } from "../../src/agent/sources/log.ts";
import { lineForm, patternsFor } from "../../src/agent/sources/log-pattern.ts";
import { installWith } from "./install.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tickmark-pattern-"));
  mkdirSync(join(folder, "logs"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    "%d{HH:mm:ss} | %-5level | %t | %msg%n",
    "12:34:56 | WARN  | Server thread | Done",
    "Server thread",
    "warning",
    null,
  ],
  [
    "{%d{yyyy-MM-dd HH:mm:ss.SSS}} %highlight{<%p> %c{1}}: %minecraftFormatting{%msg}%n%xEx",
    "{2026-11-20 12:34:56.789} <ERROR> Main: Done",
    "",
    "error",
    "Main",
  ],
  [
    "%d{ABSOLUTE} %notEmpty{(%markerSimpleName) }%level %logger - %m",
    "12:34:56,789 (NET) INFO net.minecraft - Done",
    "",
    "info",
    "net.minecraft",
  ],
  ["%d{dd MMM yyyy HH:mm:ss} %t@%p %m", "20 marras 2026 12:34:56 main@INFO Done", "main", "info", null],
])("[OUR-AGT-240] %s", (pattern, line, thread, level, logger) => {
  const read = lineForm(pattern)?.(line);
  expect(read).toMatchObject({ thread, level, logger, message: "Done" });
  expect(Math.floor((read?.clockMs ?? 0) / 1000)).toBe(12 * 3600 + 34 * 60 + 56);
  expect(lineForm(pattern)?.("\tat net.minecraft.server.Main.main(Main.java:1)")).toBeNull();
});

it("[OUR-AGT-240] a pattern without a time or a message, or with parts that run together, gives no form", () => {
  for (const pattern of [
    "%msg%n",
    "%d{HH:mm:ss} %level%n",
    "%d{HH:mm:ss} %t%logger %msg",
    "%d{UNIX} %msg",
    "",
  ])
    expect([pattern, lineForm(pattern)]).toEqual([pattern, null]);
});

it("[OUR-AGG-05] no pattern and no line ends in an error", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (pattern, line) => {
      lineForm(`%d{HH:mm:ss} ${pattern} %msg`)?.(line);
      patternsFor(pattern, "latest.log");
    }),
  );
});

const config = `<Configuration><Appenders>
<Console name="c"><PatternLayout pattern="%d{HH:mm} no %msg"/></Console>
<RollingRandomAccessFile name="File" fileName="logs/latest.log" filePattern="logs/%d-%i.log.gz">
<LoggerNamePatternSelector defaultPattern="%d{HH:mm:ss} &lt;%t&gt; %level ~ %msg%n"/></RollingRandomAccessFile>
</Appenders></Configuration>`;

const now = new Date("2026-11-20T12:00:05Z");
const written = (form: (message: string) => string): void =>
  writeFileSync(
    join(folder, "logs/latest.log"),
    ["Starting minecraft server version 1.21.8", 'Done (1.0s)! For help, type "help"']
      .map((each) => `${form(each)}\n`)
      .join(""),
  );
const own = (message: string): string => `12:00:00 <Server thread> INFO ~ ${message}`;
const check = async (): Promise<{ able: boolean; says: string } | undefined> => {
  const source = logSource(installWith({ directory: folder, log: join(folder, "logs/latest.log") }));
  const [finding] = await source.check(AbortSignal.timeout(10_000));
  await source.close();
  return finding;
};

it("[OUR-AGT-240] a log in the form of the server's own log4j2.xml is read, and agent check says what another one hides", async () => {
  expect(patternsFor(config, "latest.log")).toEqual(["%d{HH:mm:ss} <%t> %level ~ %msg%n"]);
  written(own);
  expect(await check()).toMatchObject({ able: false });
  expect((await check())?.says).toContain(
    "stops by command, causes of crashes, bans, lost time and pauses are not reported",
  );
  writeFileSync(join(folder, "log4j2.xml"), config);
  expect(await check()).toMatchObject({ able: true });
  const source = logSource(installWith({ directory: folder, log: join(folder, "logs/latest.log") }));
  expect(await source.read(now.getTime(), AbortSignal.timeout(10_000))).toMatchObject({
    bootedAt: expect.any(Number),
  });
  await source.close();
});
