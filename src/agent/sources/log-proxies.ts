import type { LogWords } from "./log-fact.ts";

const versionAfter = (message: string, start: string): string =>
  message
    .slice(start.length, start.length + 100)
    .replace(/\.{3}$/, "")
    .trim();

const starting = (start: string, proxy: string): LogWords => ({
  start,
  level: "info",
  read: (message) => ({ is: "starting", version: versionAfter(message, start).slice(0, 60), proxy }),
});

const cannotListen = { is: "failed", why: "it cannot listen on its port" } as const;

/** The words of Velocity, BungeeCord and Waterfall; `Done (…)!` is read as the game's. */
export const proxyFacts: readonly LogWords[] = [
  starting("Booting up Velocity ", "Velocity"),
  starting("Enabled BungeeCord version ", "BungeeCord"),
  starting("Enabled Waterfall version ", "Waterfall"),
  // For a proxy that writes no more than this; a game server's plugin may write it too.
  { start: "Listening on /", level: "info", read: () => ({ is: "listening" }) },
  { start: "Could not bind to host ", level: "warning", read: () => cannotListen },
  { start: "Can't bind to ", level: "error", read: () => cannotListen },
  {
    start: "Shutting down the proxy...",
    level: "info",
    read: (message) => (message === "Shutting down the proxy..." ? { is: "stopping" } : null),
  },
  {
    start: "Closing pending connections",
    level: "info",
    read: (message) => (message === "Closing pending connections" ? { is: "stopping" } : null),
  },
  {
    start: "Thank you and goodbye",
    level: "info",
    read: (message) => (message === "Thank you and goodbye" ? { is: "stopping" } : null),
  },
];
