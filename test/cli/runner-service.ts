import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import type { JobRecord } from "../../src/core/auto-bench/job.ts";
import type { TargetRecord } from "../../src/core/auto-bench/target.ts";
import { claimCredential } from "../../src/services/server/claim-credential.ts";
import { offerLinkCode } from "../../src/services/server/offer-link-code.ts";
import { useLinkCode } from "../../src/services/server/use-link-code.ts";
import { selectJobs } from "../../src/store/auto-bench/jobs.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import { newTarget } from "../store/auto-bench/auto-bench-rows.ts";
import { linkCode, linkRequest, newAccount } from "../store/engine/rows.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";

/** The built program. */
export const main = join(import.meta.dirname, "../../dist/main.js");

/** A service with one linked server, whose target makes jobs for runners. */
export interface RunnerService {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly service: ServiceProcess;
  readonly db: Database;
  /** The credential of the server. */
  readonly credential: string;
  readonly target: TargetRecord;
  newestJob(): Promise<JobRecord & { readonly reportIds: readonly string[] }>;
  /** Starts `tickmark runner run` with these arguments; it is killed at the end. */
  startRunner(key: string, args: readonly string[]): ChildProcess;
  close(): Promise<void>;
}

export async function runnerService(target: Partial<TargetRecord> = {}): Promise<RunnerService> {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-runner-"));
  const databaseUrl = `sqlite:${join(folder, "runner.db")}`;
  const service = await startServiceProcess({ TICKMARK_DATABASE_URL: databaseUrl });
  const db = await openDatabase(databaseUrl, () => {});
  const account = await newAccount(db);
  const now = Date.now();
  const facts = {
    name: "Lobby",
    address: "lobby.example",
    port: 25_566,
    type: null,
    type_name: null,
    game_version: null,
    plugin_version: null,
  };
  const code = linkCode({ createdAt: now, expiresAt: now + 900_000, facts });
  await db.write(offerLinkCode, code);
  const linked = await db.write(useLinkCode, linkRequest(account, code.code, { now }));
  if (linked.kind !== "linked") throw new Error(linked.kind);
  const secrets = systemSecrets();
  const credential = secrets.newSecret("server");
  await claimCredential(db, code.claimDigest, secrets.digest(credential), now);
  const made = await newTarget(db, { accountId: account.id, serverId: linked.server.id, ...target });
  const running: ChildProcess[] = [];
  return {
    folder,
    databaseUrl,
    service,
    db,
    credential,
    target: made,
    newestJob: async () => {
      const filter = { status: null, targetId: made.id };
      const [job] = await db.read(selectJobs, made.accountId, filter, null, 1, Date.now());
      if (!job) throw new Error("No job.");
      return job;
    },
    startRunner: (key, args) => {
      const child = spawn(process.execPath, [main, "runner", "run", "--name", "here", ...args], {
        env: { PATH: process.env["PATH"] ?? "", TICKMARK_URL: service.baseUrl, TICKMARK_RUNNER_KEY: key },
        stdio: ["ignore", "ignore", "pipe"],
      });
      running.push(child);
      return child;
    },
    close: async () => {
      for (const child of running) if (child.exitCode === null) child.kill("SIGKILL");
      await db.close();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
