import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { ConfigError, processConfig as config, processConnectorConfig } from "../config.ts";
import { createAccount, listAccounts, resetPassword, setPlan, setRole, verifyEmail } from "./account.ts";
import { demo, type DemoOptions } from "./demo.ts";
import { mcpCommand } from "./mcp.ts";
import { migrate } from "./migrate.ts";
import { CommandError, exitStatus, printError } from "./output.ts";
import { serve } from "./serve.ts";

/** The operator's command line; `serve` when nothing is named. */
function program(): Command {
  const tickmark = new Command("tickmark")
    .description("Benchmark and monitoring service for game servers.")
    .exitOverride()
    .configureOutput({ writeErr: (text) => void process.stderr.write(text) });
  tickmark
    .command("serve", { isDefault: true })
    .description("Serve the API and the connector.")
    .action(() => serve(config()));
  tickmark
    .command("migrate")
    .description("Bring the database up to date.")
    .option("--json", "print one JSON line", false)
    .action((options: { json: boolean }) => migrate(config(), options));
  tickmark
    .command("mcp")
    .description("Serve the connector on standard input and output, over the service at TICKMARK_URL.")
    .option("--toolsets <names>", "only these sets of tools, separated by commas")
    .option("--read-only", "only tools that change nothing", false)
    .action(({ toolsets, readOnly }: { toolsets?: string; readOnly: boolean }) =>
      mcpCommand({ ...processConnectorConfig(), toolsets: toolsets ?? null, readOnly }),
    );
  addDemoCommand(tickmark.command("demo"));
  addAccountCommands(
    tickmark.command("account").description("Make and change accounts. Tokens are made in the browser."),
  );
  return tickmark;
}

function addDemoCommand(demoCommand: Command): void {
  demoCommand
    .description(
      "Serve a new database filled with believable data, and a simulated fleet that goes on sending.",
    )
    .addOption(
      new Option("--port <port>", "listen there; 0 takes a free port")
        .env("TICKMARK_PORT")
        .argParser(portFrom)
        .default("8080"),
    )
    .option(
      "--data <directory>",
      "keep the database there; every start makes a new file, demo-1.db, demo-2.db …",
    )
    .option("--still", "send no heartbeats", false)
    .option("--json", "print one JSON line with every account and server", false)
    .action((options: DemoOptions) => demo(options));
}

/** An empty TICKMARK_PORT is one that is not set. */
function portFrom(text: string): string {
  const port = text.trim() || "8080";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new InvalidArgumentError("It takes a port from 0 to 65535.");
  return port;
}

function addAccountCommands(account: Command): void {
  account
    .command("create")
    .requiredOption("--email <address>", "the address of the account")
    .option("--plan <plan>", "free, pro, hosting or enterprise", "free")
    .option("--admin", "make it an administrator, its address verified", false)
    .option("--json", "print one JSON line", false)
    .action((options: { email: string; plan: string; admin: boolean; json: boolean }) =>
      createAccount(config(), options),
    );
  account
    .command("list")
    .option("--json", "print one JSON line", false)
    .action((options: { json: boolean }) => listAccounts(config(), options));
  account
    .command("set-plan <email> <plan>")
    .option("--json", "print one JSON line", false)
    .action((email: string, plan: string, { json }: { json: boolean }) =>
      setPlan(config(), { email, plan, json }),
    );
  account
    .command("set-role <email> <role>")
    .option("--json", "print one JSON line", false)
    .action((email: string, role: string, { json }: { json: boolean }) =>
      setRole(config(), { email, role, json }),
    );
  account
    .command("verify-email <email>")
    .option("--json", "print one JSON line", false)
    .action((email: string, { json }: { json: boolean }) => verifyEmail(config(), { email, json }));
  account
    .command("reset-password <email>")
    .option("--json", "print one JSON line", false)
    .action((email: string, { json }: { json: boolean }) => resetPassword(config(), { email, json }));
}

/** Runs a command line; the exit status says how it ended, and failures are one line. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync([...argv]);
  } catch (error) {
    process.exitCode = statusOf(error);
  }
}

function statusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
  if (error instanceof ConfigError) {
    printError(error.message);
    return exitStatus.usage;
  }
  printError(error instanceof Error ? error.message : String(error));
  return error instanceof CommandError ? error.status : exitStatus.failed;
}
