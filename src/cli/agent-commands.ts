import { setFlagsFromString } from "node:v8";
import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import type {
  AgentOptions,
  CheckOptions,
  CollectOptions,
  LinkOptions,
  AgentRunOptions,
} from "./agent-options.ts";

const load = {
  agent: () => import("./agent.ts"),
  run: () => {
    // It lives beside a server that needs the memory: V8 lets its heap grow by 20 MB otherwise before it cleans up.
    setFlagsFromString("--optimize-for-size");
    return import("./agent-run.ts");
  },
};

/** The commands `tickmark agent …`: an agent beside a game server, which needs no plugin. */
export function addAgentCommands(agent: Command): void {
  agent.description("Monitor a Minecraft server without a plugin, from beside it.");
  addLinkCommand(agent.command("link"));
  withState(agent.command("run"))
    .description("Monitor until a signal to end; events are written to standard error.")
    .option("--every <seconds>", "the interval between samples, instead of the service's", secondsFrom)
    .action(async (options: AgentRunOptions) => (await load.run()).runAgent(options));
  withServer(withState(agent.command("check")))
    .description("Find the server, and list the figures that can be read and how to switch on the others.")
    .option("--json", "print one JSON line", false)
    .action(async (options: CheckOptions) => (await load.agent()).checkServer(options));
  withState(agent.command("unit"))
    .description("Print a unit of systemd that keeps the agent running.")
    .action(async (options: AgentOptions) => (await load.agent()).printUnit(options));
  for (const name of ["pause", "resume"] as const)
    withState(agent.command(name))
      .description(
        name === "pause"
          ? "Stop sending, and have the service say that monitoring is paused."
          : "Send again after a pause.",
      )
      .option("--json", "print one JSON line", false)
      .action(async (options: AgentOptions & { json: boolean }) => (await load.agent())[name](options));
  withState(agent.command("collect"))
    .description("Take and upload the captures that are named; both if none is named.")
    .addArgument(new Argument("[what]").choices(["class_histogram", "profile"]))
    .option("--json", "print one JSON line", false)
    .action(async (what: CollectOptions["what"], options: Omit<CollectOptions, "what">) =>
      (await load.agent()).collectNow({ ...options, what }),
    );
}

function addLinkCommand(link: Command): void {
  withServer(withState(link))
    .description("Print a code, and wait until it was typed in the dashboard.")
    .option("--url <address>", "the service; TICKMARK_URL when left out")
    .option("--name <name>", "what to call the server; its folder's name when left out")
    .option("--json", "print one JSON line with the code, and one when it was used", false)
    .action(async (options: LinkOptions) => (await load.agent()).link(options));
}

const withState = (command: Command): Command =>
  command.option("--state <folder>", "where the agent keeps what it remembers: one folder for one server");

const withServer = (command: Command): Command =>
  command
    .option("--directory <folder>", "the server's folder, with server.properties; looked for when left out")
    .addOption(
      new Option("--port <port>", "its port; read from server.properties by default").argParser(portFrom),
    )
    .option("--log <file>", "its log; logs/latest.log")
    .option("--gc-log <file>", "its garbage collection log; read from the JVM by default")
    .option("--metrics-url <address>", "where its Prometheus exporter answers");

function portFrom(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It takes a port from 1 to 65535.");
}

function secondsFrom(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds >= 0.1 && seconds <= 60) return seconds;
  throw new InvalidArgumentError(
    "It takes 0.1 to 60 seconds: after 90 the service calls a server unreachable.",
  );
}
