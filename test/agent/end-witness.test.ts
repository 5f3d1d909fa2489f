import { createServer } from "node:http";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { witnessOf, type EndedProcess } from "../../src/agent/process/end-witness.ts";
import { fatalErrorIn } from "../../src/agent/process/jvm-error-file.ts";
import type { LeftFiles } from "../../src/agent/process/left-files.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tickmark-witness-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const now = Date.now();
const put = (name: string, text: string, at = now): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), at / 1000, at / 1000);
};
const left = (known: Partial<LeftFiles> = {}): LeftFiles => ({
  uid: process.getuid?.() ?? null,
  error_files: [join(folder, "hs_err_pid7.log")],
  heap_dumps: [join(folder, "java_pid7.hprof")],
  crash_reports: join(folder, "crash-reports"),
  jvm_files: [],
  exits_without_memory: false,
  ...known,
});
const witness = (known: Partial<EndedProcess> = {}) =>
  witnessOf(folder, {
    left: left(),
    container: null,
    startedAt: now - 60_000,
    lastSeenAt: now,
    killedForMemory: false,
    ...known,
  });

const fatal = (words: string): string =>
  `#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n${words}\n#\n# JRE version: x\n`;
const segmentation = fatal(
  "#  SIGSEGV (0xb) at pc=0x00007fe1fea13f14, pid=7, tid=9\n#\n# Problematic frame:\n# C  [libzip.so+0x85f14]  newEntry+0x64",
);

it("[OUR-AGT-232] a JVM's fatal error file tells its signal and frame, one of an earlier process nothing", async () => {
  put("hs_err_pid7.log", segmentation);
  expect(await witness()).toEqual({
    is: "jvm_crashed",
    what: "SIGSEGV in C [libzip.so+0x85f14] newEntry+0x64",
    file: "hs_err_pid7.log",
  });
  put("hs_err_pid7.log", segmentation, now - 90_000);
  expect(await witness()).toBeNull();
});

it("[OUR-AGT-232] memory that ran out is told from the error file, a fresh heap dump, and the kernel's count", async () => {
  put("hs_err_pid7.log", fatal("#  fatal error: OutOfMemory encountered: Java heap space"));
  expect(await witness()).toMatchObject({ is: "out_of_memory", what: "Java heap space" });
  put("hs_err_pid7.log", "#\n# There is insufficient memory for the Java Runtime Environment to continue.\n");
  expect(await witness()).toMatchObject({ is: "out_of_memory" });
  rmSync(join(folder, "hs_err_pid7.log"));
  put("java_pid7.hprof", "JAVA PROFILE 1.0.2");
  expect(await witness()).toMatchObject({ is: "out_of_memory", file: "java_pid7.hprof" });
  // A dump of an hour ago is of memory that was full then.
  put("java_pid7.hprof", "JAVA PROFILE 1.0.2", now - 3_600_000);
  expect(await witness({ startedAt: now - 7_200_000 })).toBeNull();
  expect(await witness({ killedForMemory: true })).toEqual({ is: "killed", by: "kernel for memory" });
});

it("[OUR-AGT-232] a crash report of the last minutes is a crash with its description", async () => {
  put(
    "crash-reports/crash-2026-11-27_10.00.00-server.txt",
    "---- Minecraft Crash Report ----\nDescription: Old\n",
    now - 600_000,
  );
  expect(await witness({ startedAt: now - 7_200_000 })).toBeNull();
  put(
    "crash-reports/crash-2026-11-28_10.00.00-server.txt",
    "---- Minecraft Crash Report ----\nDescription: Ticking entity\n",
  );
  expect(await witness()).toEqual({
    is: "crashed",
    what: "Ticking entity",
    file: "crash-2026-11-28_10.00.00-server.txt",
  });
});

it("[OUR-AGT-233] files that a JVM would have removed are the witness of a kill; the files of another user are none", async () => {
  const counters = join(folder, "hsperfdata_x/7");
  put("hsperfdata_x/7", "");
  expect(await witness({ left: left({ jvm_files: [counters] }) })).toEqual({ is: "killed", by: "signal" });
  // With this option a full heap ends the JVM in the same way.
  expect(await witness({ left: left({ jvm_files: [counters], exits_without_memory: true }) })).toBeNull();
  rmSync(counters);
  expect(await witness({ left: left({ jvm_files: [counters] }) })).toEqual({ is: "orderly" });
  // A JVM that began meanwhile has removed what others left.
  put("hsperfdata_x/8", "");
  expect(await witness({ left: left({ jvm_files: [counters] }) })).toBeNull();
  // It removes no socket, which may have been opened after the files were looked for.
  put(".java_pid7", "");
  expect(await witness({ left: left({ jvm_files: [counters] }) })).toEqual({ is: "killed", by: "signal" });
  rmSync(join(folder, ".java_pid7"));
  if (process.geteuid?.() !== 0) return console.warn("!!! SKIPPED: files of another user take root.");
  put("hs_err_pid7.log", segmentation);
  chownSync(join(folder, "hs_err_pid7.log"), 65_534, 65_534);
  expect(await witness()).toBeNull();
});

it("[OUR-AGT-232] Docker's exit code is a witness where it may be asked, and a container that runs is none", async () => {
  const id = "a".repeat(64);
  let state: Record<string, unknown> = {};
  let body = (): string => JSON.stringify({ State: state });
  const docker = createServer((request, response) => {
    response.statusCode = request.url === `/containers/${id}/json` ? 200 : 404;
    response.end(body());
  });
  mkdirSync(join(folder, "var/run"), { recursive: true });
  docker.listen(join(folder, "var/run/docker.sock"));
  await once(docker, "listening");
  const said = async (more: Record<string, unknown>) => {
    state = { Running: false, OOMKilled: false, ...more };
    return witness({ container: id });
  };
  expect(await said({ ExitCode: 137 })).toEqual({ is: "killed", by: "signal" });
  expect(await said({ ExitCode: 137, OOMKilled: true })).toEqual({ is: "killed", by: "kernel for memory" });
  expect(await said({ ExitCode: 143 })).toEqual({ is: "orderly" });
  expect(await said({ ExitCode: 139 })).toMatchObject({ is: "jvm_crashed", what: "SIGSEGV" });
  expect(await said({ ExitCode: 3 })).toEqual({ is: "exited", status: 3 });
  expect(await said({ ExitCode: 0, Running: true })).toBeNull();
  body = () => "{".repeat(100);
  expect(await said({ ExitCode: 0 })).toBeNull();
  docker.close();
  docker.closeAllConnections();
});

it("[OUR-AGH-16] any bytes in an error file are no more than another form", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fatalErrorIn(text);
      fatalErrorIn(fatal(text));
    }),
  );
});
