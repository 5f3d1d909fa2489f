import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { addAccountCommands, addTokenCommands } from "./account-commands.ts";
import { addAgentCommands } from "./agent-commands.ts";
import { addBenchCommands, withGame } from "./bench-commands.ts";
import type { DemoOptions } from "./demo.ts";
import { endOnSignal } from "./ending.ts";
import { addConfigCommands } from "./config-commands.ts";
import { config } from "./own-config.ts";
import type { BackupOptions } from "./backup.ts";
import type { McpOptions } from "./mcp.ts";
import type { MigrateOptions } from "./migrate.ts";
import type { RunnerOptions } from "./runner.ts";
import type { ServeOptions } from "./serve.ts";
import { projectVersion } from "../program/program-files.ts";
import { checkStatus, CommandError, exitStatus, printError } from "./output.ts";

// Each command loads its own modules, so that the stdio connector starts without loading the store.
const load = {
  backup: () => import("./backup.ts"),
  check: () => import("./check.ts"),
  demo: () => import("./demo.ts"),
  export: () => import("./export.ts"),
  import: () => import("./import.ts"),
  mcp: () => import("./mcp.ts"),
  migrate: () => import("./migrate.ts"),
  restore: () => import("./restore.ts"),
  runner: () => import("./runner.ts"),
  offers: () => import("./offers.ts"),
  serve: () => import("./serve.ts"),
  unit: () => import("./service-unit.ts"),
};

const newDatabaseWords = "begin with an empty database, also beside the files of one that was moved away";

/** `serve` is the default command. */
function program(): Command {
  const tickmark = new Command("tickmark")
    .description("Benchmark and monitoring service for game servers.")
    .version(projectVersion)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: (text) => void process.stderr.write(text) });
  addServeCommand(tickmark.command("serve", { isDefault: true }));
  tickmark
    .command("unit")
    .description(
      "Print the unit of systemd that keeps the service running, for /etc/systemd/system/tickmark.service.",
    )
    .option("--user <user>", "the user of the service, who has to exist", "tickmark")
    .action(async (options: { user: string }) => (await load.unit()).printServiceUnit(options));
  tickmark
    .command("migrate")
    .description("Bring the database up to date, as every start does; an SQLite file is copied first.")
    .option("--dry-run", "only print which migrations are missing", false)
    .option("--no-backup", "do not copy an SQLite file before it is upgraded")
    .option("--new-database", newDatabaseWords, false)
    .option("--json", "print one JSON line", false)
    .action(async (options: MigrateOptions) => (await load.migrate()).migrate(await config(), options));
  tickmark
    .command("mcp")
    .description("Serve the connector on standard input and output, for the service at TICKMARK_URL.")
    .option("--toolsets <names>", "only these sets of tools, separated by commas")
    .option("--tools <names>", "only these tools, in addition to the sets, separated by commas")
    .option("--exclude <names>", "without these tools, separated by commas")
    .option("--server <server>", "only this server of yours, by its id or name")
    .option("--read-only", "only tools that change nothing", false)
    .option("--no-confirm", "do not ask a person before something is published or silenced")
    .action(
      async (
        chosen: Pick<McpOptions, "toolsets" | "tools" | "exclude" | "server" | "readOnly" | "confirm">,
      ) => {
        const { processConnectorConfig } = await import("../app/config/connector-config.ts");
        const { mcpCommand } = await load.mcp();
        await mcpCommand({ ...processConnectorConfig(), ...chosen });
      },
    );
  addCheckCommand(tickmark.command("check <server>"));
  addDemoCommand(tickmark.command("demo"));
  addAccountCommands(
    tickmark.command("account").description("Make and change accounts. Tokens are made in the browser."),
  );
  addTokenCommands(
    tickmark.command("token").description("List and revoke tokens. They are made in the browser."),
  );
  addRunnerCommands(tickmark.command("runner").description("Make, list, revoke and run auto-bench runners."));
  addAgentCommands(tickmark.command("agent"));
  addBenchCommands(tickmark.command("bench"));
  addExchangeCommands(tickmark);
  addConfigCommands(tickmark.command("config"));
  addOfferCommands(tickmark.command("offer").description("Keep the catalogue of hosting offers."));
  return tickmark;
}

function addServeCommand(serveCommand: Command): void {
  serveCommand
    .description("Serve the API, the connector and the dashboard.")
    .option("--backup-dir <folder>", "also make backups into this folder")
    .option("--backup-every <time>", "how often, such as 30m, 24h or 7d", "24h")
    .option("--backup-keep <number>", "how many backups are kept", "7")
    .option(
      "--accept-new-secret",
      "start although TICKMARK_SECRET is not the secret of the database: what that one sealed is lost",
      false,
    )
    .option("--new-database", newDatabaseWords, false)
    .option("--json", "print one JSON line with the address once it answers", false)
    .action(async (options: ServeOptions) => {
      // Before the modules of the service are loaded, which takes the longest part of a start.
      const settings = await config();
      const ending = endOnSignal(settings.drainMs + settings.stopMs);
      await (await load.serve()).serveCommand(settings, options, ending);
    });
}

function addCheckCommand(checkCommand: Command): void {
  checkCommand
    .description(
      "Print the health of one of your servers, by its id or name, from the service at TICKMARK_URL. Exit status: 0 healthy or stopped, 1 degraded, 2 critical or down, 3 unknown or not asked.",
    )
    .option("--json", "print the answer of the API as one JSON line", false)
    // 2 is a verdict here, so wrong use ends as `notAsked`.
    .exitOverride((error) => {
      throw Object.assign(error, { exitCode: error.exitCode === 0 ? 0 : checkStatus.notAsked });
    })
    .action(async (server: string, { json }: { json: boolean }) => {
      const { processConnectorConfig } = await import("../app/config/connector-config.ts");
      await (await load.check()).check(processConnectorConfig, { server, json });
    });
}

function addExchangeCommands(tickmark: Command): void {
  tickmark
    .command("backup <file>")
    .description(
      "Back the database up into a new file (SQLite: a copy, PostgreSQL: an export); the service may run meanwhile. With --every or --keep the argument is a folder.",
    )
    .option(
      "--every <time>",
      "make a backup into the folder so often, such as 30m, 24h or 7d, until it is ended",
    )
    .option("--keep <number>", "keep only the newest backups of the folder")
    .option("--json", "print one JSON line for each backup", false)
    .action(async (file: string, options: Omit<BackupOptions, "file">) =>
      (await load.backup()).backup(await config(), { file, ...options }),
    );
  tickmark
    .command("restore <file>")
    .description(
      "Restore the database from a backup or an export, after checking it. Stop the service first.",
    )
    .option("--replace", "move a database that is there aside, and keep it (SQLite only)", false)
    .option("--accept-new-secret", "restore also what another secret than TICKMARK_SECRET sealed", false)
    .option("--json", "print one JSON line", false)
    .action(async (file: string, options: { replace: boolean; acceptNewSecret: boolean; json: boolean }) =>
      (await load.restore()).restoreDatabase(await config(), { file, ...options }),
    );
  tickmark
    .command("export <file>")
    .description(
      "Write everything except sessions and codes as NDJSON into a new file (- for standard output); the service may run meanwhile.",
    )
    .option("--json", "print one JSON line; with -, on standard error", false)
    .action(async (file: string, { json }: { json: boolean }) =>
      (await load.export()).exportAll(await config(), { file, json }),
    );
  tickmark
    .command("import <file>")
    .description(
      "Fill an empty database from an export (- for standard input); after an error nothing is imported. Stop the service first.",
    )
    .option("--accept-new-secret", "import also what another secret than TICKMARK_SECRET sealed", false)
    .option("--json", "print one JSON line", false)
    .action(async (file: string, options: { acceptNewSecret: boolean; json: boolean }) =>
      (await load.import()).importAll(await config(), { file, ...options }),
    );
}

function addOfferCommands(offer: Command): void {
  offer
    .command("import <file>")
    .description("Add and change offers from NDJSON, one offer per line; after an error nothing is imported.")
    .option("--json", "print one JSON line", false)
    .action(async (file: string, { json }: { json: boolean }) =>
      (await load.offers()).importOffers(await config(), { file, json }),
    );
}

function addDemoCommand(demoCommand: Command): void {
  demoCommand
    .description("Serve a new database with realistic data, and a simulated fleet that keeps sending.")
    .addOption(
      new Option("--port <port>", "the port to listen on; 0 takes a free port")
        .env("TICKMARK_PORT")
        .argParser(portFrom)
        .default("8080"),
    )
    .option(
      "--data <directory>",
      "the folder for the database; every start makes a new file, demo-1.db, demo-2.db …",
    )
    .option("--still", "send nothing after the database is filled", false)
    .option("--json", "print one JSON line with every account and server", false)
    .action(async (options: DemoOptions) => (await load.demo()).demo(options));
}

/** An empty TICKMARK_PORT counts as not set. */
function portFrom(text: string): string {
  const port = text.trim() || "8080";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new InvalidArgumentError("It takes a port from 0 to 65535.");
  return port;
}

function addRunnerCommands(runner: Command): void {
  runner
    .command("create")
    .requiredOption("--name <name>", "the name of the runner")
    .option("--json", "print one JSON line", false)
    .action(async (options: { name: string; json: boolean }) =>
      (await load.runner()).createRunner(await config(), options),
    );
  runner
    .command("list")
    .option("--json", "print one JSON line", false)
    .action(async (options: { json: boolean }) => (await load.runner()).listRunners(await config(), options));
  runner
    .command("revoke <id>")
    .option("--json", "print one JSON line", false)
    .action(async (id: string, { json }: { json: boolean }) =>
      (await load.runner()).revokeRunner(await config(), { id, json }),
    );
  withGame(runner.command("run"))
    .description("Take jobs of the service at TICKMARK_URL with the key in TICKMARK_RUNNER_KEY.")
    .option(
      "--command <command>",
      "the command for each run: it makes the server at TICKMARK_SERVER_ADDRESS run a benchmark, and upload it with TICKMARK_JOB_NONCE; default: tickmark bench for the server that tickmark agent link named",
    )
    .option("--state <folder>", "the state folder of the agent; without --command only")
    .option("--name <name>", "the name of this machine; default: its host name")
    .action(async (options: RunnerOptions) => {
      const { processRunnerConfig } = await import("../app/config/config.ts");
      await (await load.runner()).runRunner({ ...processRunnerConfig(), ...options });
    });
}

/** Sets the exit status, and prints a failure as one line. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    const tickmark = program();
    refuseUnknownCommand(tickmark, argv[2]);
    await tickmark.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = statusOf(error);
  }
}

/** Without this, the default command would fail with too many arguments. */
function refuseUnknownCommand({ commands }: Command, first: string | undefined): void {
  if (first === undefined || first.startsWith("-") || first === "help") return;
  if (commands.some((command) => command.name() === first)) return;
  throw new CommandError(
    `There is no command ${JSON.stringify(first)}. tickmark --help lists them.`,
    exitStatus.usage,
  );
}

function statusOf(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === checkStatus.notAsked) return error.exitCode;
    return error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
  }
  printError(error instanceof Error ? error.message : String(error));
  return hasStatus(error) ? error.status : exitStatus.failed;
}

/** Errors with an exit status; recognised by shape, because their modules are loaded late. */
const hasStatus = (error: unknown): error is { status: number } =>
  error instanceof Error &&
  "status" in error &&
  typeof error.status === "number" &&
  error.status > 0 &&
  error.status < 256;
