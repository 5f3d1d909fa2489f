import type { Config } from "../../app/config/config.ts";
import { CommandError, exitStatus } from "../output.ts";
import { errorFacts, thisUser } from "./facts.ts";

type Listening = Pick<Config, "host" | "port" | "metricsPort">;

/** Null for an error that is not about listening. */
export function listenError(
  error: unknown,
  { host, port: ownPort, metricsPort }: Listening,
): CommandError | null {
  const { code, syscall, port: tried, hostname } = errorFacts(error);
  if (syscall === "getaddrinfo" && hostname === host) return notOurs(host);
  if (syscall !== "listen" && syscall !== "bind") return null;
  const port = tried ?? ownPort;
  const variable = port !== ownPort && port === metricsPort ? "TICKMARK_METRICS_PORT" : "TICKMARK_PORT";
  switch (code) {
    case "EADDRINUSE":
      return new CommandError(`Port ${port} of ${host} is in use. Set ${variable} to another port.`);
    case "EACCES":
    case "EPERM":
      return new CommandError(
        `${thisUser()} may not listen on port ${port}. Set ${variable} to a port above 1023, or give the right for it (CAP_NET_BIND_SERVICE).`,
      );
    case "EADDRNOTAVAIL":
      return notOurs(host);
    case "EAFNOSUPPORT":
      return new CommandError(
        `This machine has no addresses of the kind of ${host}. Set TICKMARK_HOST to another one.`,
        exitStatus.usage,
      );
    default:
      return new CommandError(
        `Port ${port} of ${host} cannot be listened on (${code}). Set ${variable} to another port.`,
      );
  }
}

const notOurs = (host: string): CommandError =>
  new CommandError(`TICKMARK_HOST takes an address of this machine, not ${host}.`, exitStatus.usage);
