import { pino } from "pino";
import { startService, type Service } from "../app/start.ts";
import { processConfig, type Config } from "../app/config/config.ts";
import { makeAccounts, type DemoAccount } from "../demo/accounts.ts";
import { makeRunner, makeTargets, startRunner } from "../demo/auto-bench.ts";
import { fillFleet } from "../demo/fill.ts";
import type { DemoServer } from "../demo/server.ts";
import { startLiveFleet } from "../demo/live.ts";
import { keptDatabase, temporaryDatabase, type DemoDatabase } from "../demo/demo-database.ts";
import { CommandError, printError, printResult } from "./output.ts";
import { endOnSignal } from "./ending.ts";
import { failureCode } from "../core/failure-code.ts";

export interface DemoOptions {
  readonly port: string;
  /** The folder of the database; undefined: a temporary one that is deleted at the end. */
  readonly data?: string;
  readonly still: boolean;
  readonly json: boolean;
}

/** Unless `still`, a simulated fleet goes on sending. */
export async function demo({ port, data, still, json }: DemoOptions): Promise<void> {
  const log = pino({ level: "warn" }, pino.destination(2));
  const database = databaseAt(data);
  const config = configOf(database, port);
  const ending = endOnSignal(config.drainMs + config.stopMs);
  // A demo that is not filled yet needs no orderly end.
  ending.endBy(async () => {});
  if (!json && process.stderr.isTTY) printError("Filling the demo …");
  const service = await serviceOn(config, log);
  try {
    const start = service.app.clock();
    const accounts = await makeAccounts(service.app, start);
    const { servers, sendTimelines, settleHealth } = await fillFleet(service, accounts, start, still);
    const fleet = still
      ? null
      : await startLiveFleet(servers, service.app.clock, (err, server) =>
          log.warn({ err, server }, "a heartbeat failed"),
        );
    await sendTimelines();
    await makeTargets(service.app, accounts, servers, service.app.clock(), still);
    await settleHealth(service.app.clock());
    const runnerKey = await makeRunner(service.app, "Yours", start);
    const runner = still ? null : await simulatedRunner(service, servers, log);
    ending.endBy(async () => {
      await runner?.stop();
      await fleet?.stop();
      await service.close();
    });
    printResult(json, summary(service.baseUrl, accounts, servers, runnerKey), [
      wordsOf(service.baseUrl, accounts, database),
    ]);
  } catch (error) {
    await service.close();
    throw error;
  }
}

async function simulatedRunner(
  { app, baseUrl }: Service,
  servers: readonly DemoServer[],
  log: pino.Logger,
): Promise<{ stop(): Promise<void> }> {
  const key = await makeRunner(app, "Simulated", app.clock());
  return startRunner(baseUrl, key, servers, app.clock, (line) => log.info(line));
}

function databaseAt(data: string | undefined): DemoDatabase {
  if (data === undefined) return temporaryDatabase();
  try {
    return keptDatabase(data);
  } catch (error) {
    throw new CommandError(`--data takes a directory that the demo may write to (${messageOf(error)}).`);
  }
}

/** Takes no base URL from the environment: the simulated fleet calls the address in use. */
const configOf = ({ databasePath }: DemoDatabase, port: string): Config =>
  processConfig({
    TICKMARK_PORT: port,
    TICKMARK_DATABASE_URL: `sqlite:${databasePath}`,
    TICKMARK_BASE_URL: undefined,
  });

async function serviceOn(config: Config, log: pino.Logger): Promise<Service> {
  try {
    return await startService(config, log);
  } catch (error) {
    const taken = failureCode(error) === "EADDRINUSE";
    throw taken
      ? new CommandError(
          `Port ${config.port} is in use. Choose another with --port, or any free port with --port 0.`,
        )
      : error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const mcpUrl = (baseUrl: string): string => `${baseUrl}/mcp`;

/** The output of `--json`. */
const summary = (
  baseUrl: string,
  accounts: readonly DemoAccount[],
  servers: readonly DemoServer[],
  runnerKey: string,
) => ({
  base_url: baseUrl,
  mcp_url: mcpUrl(baseUrl),
  accounts: Object.fromEntries(
    accounts.map(({ name, account, password, token }) => [name, { email: account.email, password, token }]),
  ),
  servers: servers.map(({ id, spec, authToken }) => ({
    id,
    name: spec.name,
    account: spec.account,
    auth_token: authToken,
  })),
  // For the user's own runner; the simulated runner has another key.
  runner_key: runnerKey,
});

function wordsOf(baseUrl: string, accounts: readonly DemoAccount[], database: DemoDatabase): string {
  const shown = accounts.find(({ name }) => name === "enterprise");
  if (!shown) throw new Error("The demo has no enterprise account.");
  const { account, password, token } = shown;
  const others = accounts.filter((each) => each !== shown).map(({ name }) => name);
  return [
    `Tickmark demo: ${baseUrl}`,
    "",
    `  Dashboard  ${baseUrl}/sign-in`,
    `  Sign in    ${account.email}  ${password}`,
    `  API token  ${token}`,
    "",
    `  curl -H "Authorization: Bearer ${token}" ${baseUrl}/api/v1/servers`,
    `  claude mcp add --transport http tickmark ${mcpUrl(baseUrl)} --header "Authorization: Bearer ${token}"`,
    "",
    `There are also accounts on the other plans (${others.join(", ")}): --json prints all accounts.`,
    database.kept
      ? `The database stays in ${database.databasePath}.`
      : "The database is deleted at the end. Press Ctrl-C to end.",
  ].join("\n");
}
