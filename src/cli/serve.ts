import { pino } from "pino";
import { startService } from "../app.ts";
import type { Config } from "../config.ts";
import { printError } from "./output.ts";

/** Serves until the process is asked to end. */
export async function serve(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel });
  const service = await startService(config, log);
  const accounts = await service.door.stores.accounts.list();
  if (accounts.length === 0) {
    printError(
      `No account yet. Make the first one: node ${process.argv[1] ?? "tickmark"} account create --admin --email you@example.org`,
    );
  }
  untilAsked(async () => {
    log.info("closing");
    await service.close();
  });
}

/** Ends in order on the first signal, and at once on the second. */
export function untilAsked(close: () => Promise<void>): void {
  let asked = false;
  const end = (): void => {
    if (asked) process.exit(1);
    asked = true;
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}
