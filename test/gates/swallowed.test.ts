import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { swallowedIn } from "./swallowed.ts";

const source = join(import.meta.dirname, "../../src");

/**
 * Places that were reviewed: how many a file has, and why the failure may become that answer. A failure that says "there is
 * nothing" is told from every other one by `nullIfAbsent` and `nullIfClosed` in `src/core/failure-code.ts`.
 */
const reviewed: Readonly<Record<string, readonly [most: number, why: string]>> = {
  "agent/sources/crash-report.ts": [
    1,
    "The crash is told without what its report adds; its name says where that is.",
  ],
  "agent/sources/jvm.ts": [
    1,
    "An older JVM refuses a command: its figure alone is unknown, which is what null says.",
  ],
  "agent/sources/management.ts": [
    2,
    "A connection that fails is told by the reading that needs it; a server that lists no methods is asked all the same.",
  ],
  "agent/sources/ping.ts": [
    1,
    "The other form of the ping is tried; if it fails too, the first failure is thrown.",
  ],
  "bench/build-kernels.ts": [
    2,
    "A build step: what is not there, or not to be read, is built anew, which tells why it fails.",
  ],
  "bench/machine/cpu/cpu-threads.ts": [
    1,
    "The event before the exit of a thread is counted by its own listener; the exit is awaited again.",
  ],
  "cli/backup-clock.ts": [1, "Only Linux names its boots; elsewhere the ticks of each process count alone."],
  "cli/backup-record.ts": [
    1,
    "The names of the backups are believed instead, as before the first record; the next backup writes it anew.",
  ],
  "cli/backup-turns.ts": [1, "The backup opens the same database next, and tells why it cannot."],
  "cli/bench-options.ts": [2, "Words for a wrong option; the file is opened later, and its failure is told."],
  "cli/catalogue-manifest.ts": [1, "Without the build's file the same is worked out anew."],
  "cli/restore.ts": [
    1,
    "What is there is renamed; a folder that may not be looked into refuses the copy as well.",
  ],
  "cli/config/checks/clock.ts": [
    3,
    "A note says that a clock could not be asked for; why it could not is what the other checks say.",
  ],
  "cli/config/checks/disk.ts": [
    1,
    "The nearest folder that is there is tried by writing a file, and that tells its failure.",
  ],
  "cli/config/shown-settings.ts": [
    1,
    "A file that cannot be looked at holds no secret that this user could start with; the check of it tells why.",
  ],
  "cli/ending.ts": [1, "The end of the process: the failure is its status, and was told before."],
  "cli/set-up-code.ts": [
    2,
    "The code does nothing any more once there is an account, whether its file is left or not; a database that does not answer is asked again.",
  ],
  "app/access/passkeys.ts": [2, "A passkey that a library refuses is a refused sign-in, whatever it said."],
  "services/health/evaluate-servers.ts": [
    1,
    "What was received is stored; the job of the next minutes evaluates the same server, and tells its failure.",
  ],
  "services/health/keep-answer.ts": [
    1,
    "The answer does not depend on it; the job stores the same, and tells its failure.",
  ],
  "contract/call/accepted-call.ts": [1, "The caller has the same promise, and sees its failure."],
  "contract/call/call.ts": [
    1,
    "Figures about limits in an answer to a refused call; unknown is one of their values.",
  ],
  "contract/files/profile-readings.ts": [
    1,
    "A copy that spares reading a capture again; without it the next call makes it.",
  ],
  "dashboard/respond.ts": [1, "An error page for nobody is shown where the database does not say who asks."],
  "dashboard/visitor-of.ts": [
    1,
    "A refused form is charged to nobody where the database does not say who sent it.",
  ],
  "endpoints/api/memory-report/get-memory-report.ts": [
    1,
    "A copy that spares reading a report again; without it the next call makes it.",
  ],
  "jobs/health/write-batch.ts": [1, "Each piece is tried alone next, and its own failure is reported."],
  "mcp/consent/waiting-person.ts": [1, "An answered question is deleted; the sweep deletes what is left."],
  "mcp/transport/http-client.ts": [
    1,
    "The level of log messages of one client; unknown sends the usual ones.",
  ],
  "mcp/transport/http.ts": [1, "A cancelled wait and its end are the same to the stream."],
  "metrics/open-metrics.ts": [1, "The answer is a 500 that says so."],
  "metrics/service-figures.ts": [1, "The figure `up` is 0 for exactly this."],
  "oauth/requests.ts": [1, "A page without the client's name; the request itself is judged elsewhere."],
  "outbound/reach.ts": [
    1,
    "The caller learns that a host may not be called, and never why: its answers are none of theirs.",
  ],
  "program/program-files.ts": [
    1,
    "The folder of the program itself, found by walking up; without it the program does not start.",
  ],
  "rest/http-server.ts": [1, "Figures about limits in a header; unknown is one of their values."],
  "rest/refusals.ts": [2, "Figures about limits in a refusal; unknown is one of their values."],
  "app/config/secret-setting.ts": [
    3,
    "What is there is read by the next line, and that refuses what is closed; the secret is placed by link(2), which never replaces.",
  ],
  "store/engine/database-file.ts": [
    1,
    "Only Linux has these names of open files; elsewhere the path itself is watched.",
  ],
  "store/engine/pooler-watch.ts": [
    2,
    "A connection that ends, and a question that is asked again with the next connection; its failure changes no answer.",
  ],
  "store/engine/log-sync.ts": [1, "Those who wait for the sync have its failure."],
  "store/engine/merged-reads.ts": [1, "Each read is made alone next, and fails by itself."],
  "store/engine/packed.ts": [1, "Damaged bytes of a copy: the caller reads the original anew."],
  "store/engine/postgres-units.ts": [
    1,
    "The end of a transaction that only read; what comes next over the connection fails by itself.",
  ],
  "store/engine/postgres-pool.ts": [1, "The pooler's watch answers for itself."],
  "store/engine/sqlite.ts": [
    1,
    "A database that may be missing is made with its mode; what is closed refuses that.",
  ],
  "store/job/jobs.ts": [1, "A lease that is not renewed runs out, and another process takes the job."],
  "store/migrations/planned.ts": [1, "No database has no upgrade; opening it tells why it cannot be read."],
  "store/transfer/sqlite-file.ts": [
    1,
    "Words for a file that is not there; opening it tells every other failure.",
  ],
};

it("[OUR-ARC-07] a failure becomes an answer only where that was reviewed, or where it is looked at", () => {
  const names = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      /\.tsx?$/.test(name) && !name.startsWith("dashboard/scripts/") && !name.startsWith("bench/kernels/"),
  );
  const unreviewed = names.flatMap((name) => {
    const found = swallowedIn(name, readFileSync(join(source, name), "utf8"));
    const most = reviewed[name]?.[0] ?? 0;
    return found.length > most ? found.map(({ line, code }) => `src/${name}:${line} ${code}`) : [];
  });
  expect(unreviewed).toEqual([]);
});

it("[OUR-ARC-07] the gate sees each form, and no look at the failure", () => {
  const seen = (code: string): number => swallowedIn("a.ts", code).length;
  for (const code of [
    'const a = await readFile(p).catch(() => "");',
    "const a = await stat(p).catch((error) => null);",
    "try { await read(p); } catch { a = []; }",
    "try { readFileSync(p); } catch (error) { return null; }",
    "await access(p).then(() => true, () => false);",
    "if (existsSync(p)) run();",
    "const none = () => null; await readFile(p).catch(none);",
  ])
    expect([code, seen(code)]).toEqual([code, 1]);
  for (const code of [
    "await readFile(p).catch(nullIfAbsent);",
    "await readFile(p).catch((error) => told(error));",
    "try { JSON.parse(text); } catch { a = null; }",
    "try { await read(p); } catch (error) { tell(error); }",
    'import { setTimeout as rest } from "node:timers/promises"; await rest(5).catch(() => {});',
    'try { await read(p); } catch { throw new Error("No."); }',
  ])
    expect([code, seen(code)]).toEqual([code, 0]);
});
