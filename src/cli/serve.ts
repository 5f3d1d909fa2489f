import { hasAnyAccount } from "../store/access/account-entry.ts";
import { pino } from "pino";
import { startService, type Service } from "../app.ts";
import type { Config } from "../config.ts";
import { CommandError, exitStatus, printError, printLine } from "./output.ts";

/** Serves until a signal to end. With `json`, one line holds the address once it answers. */
export async function serveCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  const log = pino({ level: config.logLevel }, pino.destination(json ? 2 : 1));
  const service = await startService(config, log).catch((error: unknown) => {
    throw mendable(error, config);
  });
  closeOnSignal(async () => {
    log.info("closing");
    await service.close();
  }, config.stopMs);
  const setUp = (await service.app.db.read(hasAnyAccount)) ? null : setUpOf(service);
  if (json) {
    const urls = { base_url: service.baseUrl, mcp_url: `${service.baseUrl}/mcp` };
    printLine(JSON.stringify({ ...urls, ...(setUp && { set_up: setUp }) }));
  }
  if (setUp === null) return;
  log.info(setUp, "no account yet: enter this code on the set-up page");
  printError(
    `No account yet. Open ${setUp.url} and enter the set-up code ${setUp.code}, or make the first account with: node ${process.argv[1] ?? "tickmark"} account create --admin --email you@example.org`,
  );
}

const setUpOf = ({ baseUrl, setUpCode }: Service) => ({ url: `${baseUrl}/set-up`, code: setUpCode });

/** Turns known errors of a start into messages that say what to do; returns other errors unchanged. */
function mendable(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EADDRINUSE")
    return new CommandError(`Port ${port} of ${host} is in use. Set TICKMARK_PORT to another port.`);
  if (code === "EACCES")
    return new CommandError(`This user may not use port ${port}. Set TICKMARK_PORT to another port.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new CommandError(`TICKMARK_HOST takes an address of this machine, not ${host}.`, exitStatus.usage);
  }
  if (code === "SQLITE_NOTADB") {
    return new CommandError(
      "TICKMARK_DATABASE_URL names a file that is not an SQLite database.",
      exitStatus.usage,
    );
  }
  return error;
}

/** The process ends so long after the time for requests in flight at the latest, ms. */
const afterRequestsMs = 800;

/**
 * The same signal within this time does not count as a second one, ms: on Ctrl-C a terminal signals every process of its
 * group, and npm passes its own signal on to the process that it runs.
 */
const sameSignalMs = 1000;

/** Ends in order on the first signal, within `stopMs` and a second, and at once on a second one. */
export function closeOnSignal(close: () => Promise<void>, stopMs: number): void {
  let signalledAt: number | null = null;
  const end = (): void => {
    if (signalledAt !== null) {
      if (performance.now() - signalledAt >= sameSignalMs) process.exit(1);
      return;
    }
    signalledAt = performance.now();
    setTimeout(() => {
      printError("The requests in progress did not end in time, and were dropped.");
      process.exit(0);
    }, stopMs + afterRequestsMs);
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}
