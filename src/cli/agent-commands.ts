import { setFlagsFromString } from "node:v8";
import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import type {
  AgentOptions,
  CheckOptions,
  CollectOptions,
  LinkOptions,
  AgentRunOptions,
  UnitOptions,
} from "./agent-options.ts";

const load = {
  agent: () => import("./agent.ts"),
  run: () => {
    // The game server beside the agent needs the memory: V8's heap would grow by 20 MB before a collection.
    setFlagsFromString("--optimize-for-size");
    return import("./agent-run.ts");
  },
};

export function addAgentCommands(agent: Command): void {
  agent.description("Monitor a Minecraft server from the same machine, without a plugin.");
  addLinkCommand(agent.command("link"));
  withLagProfiles(withState(agent.command("run")))
    .description("Monitor until a signal ends the agent; what happens is written to standard error.")
    .option(
      "--every <seconds>",
      "the interval between samples; default: the one the service sends",
      secondsFrom,
    )
    .action(async (options: AgentRunOptions) => (await load.run()).runAgent(options));
  withServer(withState(agent.command("check")))
    .description("Find the server, list the figures that can be read, and say how to switch on the others.")
    .option("--json", "print one JSON line", false)
    .action(async (options: CheckOptions) => (await load.agent()).checkServer(options));
  withLagProfiles(withState(agent.command("unit")))
    .description("Print a systemd unit that keeps the agent running.")
    .action(async (options: UnitOptions) => (await load.agent()).printUnit(options));
  for (const name of ["pause", "resume"] as const)
    withState(agent.command(name))
      .description(
        name === "pause"
          ? "Stop sending, and tell the service that monitoring is paused."
          : "Send again after a pause.",
      )
      .option("--json", "print one JSON line", false)
      .action(async (options: AgentOptions & { json: boolean }) => (await load.agent())[name](options));
  withState(agent.command("collect"))
    .description("Take the named captures and upload them; without a name, take both.")
    .addArgument(new Argument("[what]").choices(["class_histogram", "profile"]))
    .option("--json", "print one JSON line", false)
    .action(async (what: CollectOptions["what"], options: Omit<CollectOptions, "what">) =>
      (await load.agent()).collectNow({ ...options, what }),
    );
}

function addLinkCommand(link: Command): void {
  withServer(withState(link))
    .description("Print a code, and wait until somebody types it in the dashboard.")
    .option("--url <address>", "the address of the service; default: TICKMARK_URL")
    .option("--name <name>", "the name of the server; default: the name of its folder")
    .option("--json", "print one JSON line with the code, and another when the code was used", false)
    .action(async (options: LinkOptions) => (await load.agent()).link(options));
}

const withState = (command: Command): Command =>
  command.option("--state <folder>", "the folder for the state of the agent; each server needs its own");

const withLagProfiles = (command: Command): Command =>
  command.option("--no-lag-profiles", "when the server lags, have spark record no profile");

const withServer = (command: Command): Command =>
  command
    .option("--directory <folder>", "the server's folder, with its settings; default: the agent looks for it")
    .addOption(
      new Option("--port <port>", "the server's port; default: the port in its settings").argParser(portFrom),
    )
    .option("--log <file>", "the server's log; default: logs/latest.log, or the one of its family")
    .option("--gc-log <file>", "the garbage collection log; default: the path that the JVM reports")
    .option("--metrics-url <address>", "the address of its Prometheus exporter");

function portFrom(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It takes a port from 1 to 65535.");
}

function secondsFrom(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds >= 0.1 && seconds <= 60) return seconds;
  throw new InvalidArgumentError(
    "It takes 0.1 to 60 seconds: after 90 seconds without a sample, the service reports the server as unreachable.",
  );
}
