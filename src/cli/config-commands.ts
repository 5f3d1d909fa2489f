import type { Command } from "commander";
import type { ConfigOptions } from "./config/show-config.ts";

type CheckOptions = ConfigOptions & { readonly mailTo?: string };

const load = () => import("./config/show-config.ts");

export function addConfigCommands(config: Command): void {
  withFile(config)
    .description(
      "Print the settings in effect and where each comes from; secrets are hidden, and nothing is changed.",
    )
    .action(async (options: ConfigOptions) => (await load()).showConfig(options));
  withFile(config.command("check"))
    .description(
      "Try what the settings name: the database, the secret, the disk, the clock, the base URL and the mail server.",
    )
    .option("--mail-to <address>", "also send a test mail to this address")
    .action(async (options: CheckOptions) => {
      // The same options may be given before the word check.
      const before = config.opts<ConfigOptions>();
      await (await load()).checkConfig({ ...before, ...options, json: before.json || options.json });
    });
}

const withFile = (command: Command): Command =>
  command
    .option(
      "--file <file>",
      "read settings from this file, such as /etc/tickmark.env; they go before those of the environment",
    )
    .option("--json", "print one JSON line", false);
