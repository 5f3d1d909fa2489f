import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { Json } from "./payload.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type LinkedServer,
  type TestService,
} from "./service.ts";
import { handClock, minuteMs, type HandClock } from "./clock.ts";

/** The service that the tests of a file share, on a clock they move. */
interface Served {
  readonly clock: HandClock;
  readonly service: TestService;
}

/** Starts it before the first test; after the last one it has reported no defect of its own. */
export function served({ timers = true }: { readonly timers?: boolean } = {}): Served {
  const clock = handClock();
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ plans: roomyPlans, clock: clock.now, timers });
  });
  afterAll(async () => {
    expect(service.defects).toEqual([]);
    await service.close();
  });
  return {
    clock,
    get service() {
      return service;
    },
  };
}

/** What each test has for itself: a new account of the plan `pro`, its linked server and its token. */
export interface Scene extends Served {
  readonly server: LinkedServer;
  readonly token: string;
  /** An instant so far from now, as a body writes it. */
  at(offsetMs?: number): string;
}

/**
 * Makes them before each test, a minute after those of the test before; `facts` are what the server says of itself. Without
 * timers jobs run only when a test runs them.
 */
export function sceneOfServer(facts?: Json, options: { readonly timers?: boolean } = {}): Scene {
  const shared = served(options);
  const { clock } = shared;
  let server: LinkedServer;
  let token: string;
  beforeEach(async () => {
    clock.advance(minuteMs);
    const owner = await shared.service.account("pro");
    server = await shared.service.server(owner, facts);
    token = await shared.service.token(owner);
  });
  return {
    clock,
    get service() {
      return shared.service;
    },
    get server() {
      return server;
    },
    get token() {
      return token;
    },
    at: (offsetMs = 0) => new Date(clock.now() + offsetMs).toISOString(),
  };
}

/** An event as a plugin sends it. */
export const event = (local_id: string, more: Json = {}): Json => ({
  local_id,
  type: "ban",
  category: "moderation",
  source: "LiteBans",
  severity: "warning",
  title: "Banned",
  ...more,
});

/** The timeline of the scene's server, as its plugin writes it and its owner reads it. */
export function timelineOf(scene: Scene) {
  const sendRaw = (body: unknown): Promise<Answer> =>
    scene.service.request("POST", "/plugin/v1/events", { token: scene.server.credential, body });
  const send = (...events: Json[]): Promise<Answer> => sendRaw({ events });
  const list = (query = "", token = scene.token, id = scene.server.id): Promise<Answer> =>
    scene.service.request("GET", `/api/v1/servers/${id}/events${query}`, { token });
  const titles = async (query = ""): Promise<unknown[]> =>
    rowsOf(await list(query)).map(({ title }) => title);
  return { sendRaw, send, list, titles };
}
