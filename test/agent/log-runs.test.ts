import { expect, it } from "vitest";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import type { ProcessEnd } from "../../src/agent/sources/process-end.ts";

const noon = Date.UTC(2026, 10, 20, 12);

/** A server whose process began at noon; lines come at seconds of the day, each reading at once. */
function server() {
  const reader = logReader();
  const story = logStory();
  const living = { startedAt: noon, wasUp: true, isOld: false };
  let told: string[] = [];
  const clock = (second: number): string => new Date(noon + second * 1000).toISOString().slice(11, 19);
  const line = (second: number, message: string): string => {
    const level = /FAILED|exception|keep up/.test(message) ? "WARN" : "INFO";
    return `[${clock(second)}] [Server thread/${level}]: ${message}`;
  };
  const listen = (second: number): void => {
    const { events = [], announced } = story.reading("now");
    told.push(...events.map(({ type }) => type), ...(announced ? [`announced ${announced.what}`] : []));
    void second;
  };
  return {
    lives: (isLiving = true) => story.sawLiving(isLiving ? living : null),
    writes: (second: number, ...messages: string[]) => {
      for (const message of messages) reader.take(line(second, message));
      const at = noon + second * 1000;
      for (const found of reader.found(at, at + 60_000)) story.take(found);
      listen(second);
    },
    listens: (second: number) => {
      story.readUp(noon + second * 1000);
      listen(second);
    },
    ends: (second: number, more: Partial<ProcessEnd> = {}) => {
      const at = noon + second * 1000;
      const end = { startedAt: noon, lastSeenAt: at - 1000, at, wasUp: true, isServer: true, witness: null };
      story.sawLiving(null);
      story.sawEnd({ ...end, successorAt: null, look: async () => null, ...more });
      story.settleEnd(at - 5000);
      listen(second);
    },
    told: () => {
      const all = told;
      told = [];
      return all;
    },
  };
}

const started = ["Starting minecraft server version 1.21.8", 'Done (2.500s)! For help, type "help"'];
const bind = [
  "**** FAILED TO BIND TO PORT!",
  "The exception was: java.net.BindException: Address already in use",
];

it("[OUR-AGT-234] a second start beside the living server fails by itself, and the server's own stop is told", () => {
  const game = server();
  game.lives();
  game.writes(5, ...started);
  expect(game.told()).toEqual(["server_start", "announced started"]);
  game.writes(100, "Starting minecraft server version 1.21.8", ...bind, "Stopping server");
  expect(game.told()).toEqual(["server_start_failed"]);
  game.writes(200, "Can't keep up! Is the server overloaded? Running 4588ms or 91 ticks behind");
  game.writes(300, "Stopping the server");
  expect(game.told()).toEqual(["lag_spike", "server_stop", "announced stopping"]);
  game.ends(301);
  expect(game.told()).toEqual([]);
});

const closing = ["Stopping server", "Saving players", "Saving worlds"];

it("[OUR-AGT-234] [OUR-AGG-201] lines of the shutdown of a second start are none of the server's own", () => {
  const game = server();
  game.lives();
  game.writes(5, ...started);
  game.writes(100, "Starting minecraft server version 1.21.8", ...bind, ...closing);
  game.told();
  game.writes(500, "Can't keep up! Is the server overloaded? Running 4588ms or 91 ticks behind");
  game.ends(520);
  expect(game.told()).toEqual(["lag_spike", "server_crash"]);
});

it("[OUR-AGG-201] a kill in the middle of a doubtful stop is a kill", () => {
  const game = server();
  game.lives();
  game.writes(5, ...started);
  game.writes(100, "Starting minecraft server version 1.21.8", ...bind, ...closing);
  game.told();
  game.ends(103, { witness: { is: "killed", by: "signal" } });
  expect(game.told()).toEqual(["server_crash"]);
});

it("[OUR-AGT-234] a stop right behind a second start that failed is decided by the end of the process", () => {
  const game = server();
  game.lives();
  game.writes(5, ...started);
  game.writes(100, "Starting minecraft server version 1.21.8", ...bind, "Stopping server");
  game.told();
  game.ends(103);
  expect(game.told()).toEqual(["server_stop", "announced stopping"]);
});

it("[OUR-AGT-234] a start that becomes ready is the server, although another process lives in its folder", () => {
  const game = server();
  game.lives();
  game.writes(5, ...started);
  game.told();
  game.writes(100, ...started);
  expect(game.told()).toEqual(["server_crash", "server_start", "announced started"]);
});

it("[OUR-AGT-230] without a log, a process that listens is a start, and its end is told by what shows it", () => {
  const game = server();
  game.lives();
  game.listens(3);
  expect(game.told()).toEqual(["server_start", "announced started"]);
  game.ends(100);
  expect(game.told()).toEqual(["server_crash"]);
  game.lives();
  game.listens(110);
  expect(game.told()).toEqual(["server_start", "announced started"]);
  game.ends(200, { successorAt: noon + 200_000 });
  expect(game.told()).toEqual(["restart"]);
  game.lives();
  game.listens(210);
  expect(game.told()).toEqual(["announced started"]);
  game.ends(300, { witness: { is: "orderly" } });
  expect(game.told()).toEqual(["server_stop", "announced stopping"]);
});

it("[OUR-AGT-236] a program that wrote no log and never listened is no server, one that did could not start", () => {
  const game = server();
  game.ends(10, { wasUp: false, isServer: false });
  expect(game.told()).toEqual([]);
  game.ends(20, { wasUp: false, isServer: true });
  expect(game.told()).toEqual(["server_start_failed"]);
});
