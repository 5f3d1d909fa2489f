import { channelRecords } from "../../src/core/alert/delivery.ts";
import { selectAlerts } from "../../src/store/alert/alerts.ts";
import { expect, vi } from "vitest";
import { makeAccounts } from "../../src/demo/accounts.ts";
import { makeTargets } from "../../src/demo/auto-bench.ts";
import { fillFleet } from "../../src/demo/fill.ts";
import type { AccountName } from "../../src/demo/server-spec.ts";
import { heartbeatAt, startLiveFleet } from "../../src/demo/live.ts";
import { sampleEveryMs } from "../../src/demo/load-profile.ts";
import { minuteMs } from "../../src/core/time.ts";
import { sealSamples } from "../../src/services/metric/seal-samples.ts";
import { testEpoch } from "../support/test-app.ts";
import { startTestService, type Json, type TestService } from "../support/service.ts";
import { patience } from "../support/patience.ts";

/** The demo behind a socket, at one instant: everything it was filled with, and one heartbeat of each server. */
export interface AskedDemo {
  readonly baseUrl: string;
  readonly now: number;
  token(account: AccountName): string;
  serverId(name: string): string;
  /** Names of servers that are another account's. */
  foreign(account: AccountName): readonly string[];
  /** Reads over REST what a question was about. */
  rest(account: AccountName, path: string): Promise<Json>;
  linkCode(): Promise<string>;
  /** Lets one server send its heartbeats for so long, with the service's clock, and samples be moved into blocks. */
  goOn(server: string, minutes: number): Promise<void>;
  close(): Promise<void>;
}

/** `start`: when the demo starts, by its own clock. */
export async function askedDemo(start = testEpoch): Promise<AskedDemo> {
  let now = start;
  const at = await startTestService({ clock: () => now });
  const accounts = await makeAccounts(at.service.app, start);
  const { servers, sendTimelines, settleHealth } = await fillFleet(at.service, accounts, start);
  const fleet = await startLiveFleet(
    servers,
    () => start,
    (error) => {
      throw error;
    },
  );
  await fleet.stop();
  await sendTimelines();
  await vi.waitFor(() => everybodyTold(at, accounts), patience);
  await makeTargets(at.service.app, accounts, servers, start, true);
  await settleHealth(start);
  const token = (name: AccountName): string => one(accounts, ({ name: own }) => own === name).token;
  return {
    baseUrl: at.service.baseUrl,
    now: start,
    token,
    serverId: (name) => one(servers, ({ spec }) => spec.name === name).id,
    foreign: (account) => servers.filter(({ spec }) => spec.account !== account).map(({ spec }) => spec.name),
    rest: async (account, path) => {
      const { status, json, text } = await at.request("GET", `/api/v1${path}`, { token: token(account) });
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return json;
    },
    linkCode: async () => (await at.linkCode({ name: "New World", port: 25_570 })).code,
    goOn: async (name, minutes) => {
      const server = one(servers, ({ spec }) => spec.name === name);
      for (const end = now + minutes * minuteMs; now < end;) {
        now += sampleEveryMs;
        await server.plugin.heartbeat(heartbeatAt(server, now));
      }
      for await (const moved of sealSamples(at.service.app.db, now)) expect(moved).toBeGreaterThan(0);
    },
    close: async () => {
      await at.close();
      refuseDefects(at);
    },
  };
}

const anyAlert = {
  kind: null,
  status: null,
  since: null,
  until: null,
  ruleName: null,
  notified: null,
  serverId: null,
};

/** Messages of the alerts go out a moment later, or find that they cannot. */
async function everybodyTold(
  { service }: TestService,
  accounts: readonly { readonly account: { readonly id: string } }[],
): Promise<void> {
  const { db } = service.app;
  const raised = await Promise.all(
    accounts.map(({ account }) => db.read(selectAlerts, account.id, anyAlert, null, 50)),
  );
  const told = raised.flat().flatMap(({ delivery }) => channelRecords(delivery).map(({ status }) => status));
  expect(told).not.toHaveLength(0);
  expect(told).not.toContain("pending");
}

function refuseDefects({ defects }: TestService): void {
  if (defects.length > 0) throw new Error(`The service reported ${defects.join("\n")}`);
}

function one<T>(all: readonly T[], wanted: (each: T) => boolean): T {
  const found = all.find(wanted);
  if (found === undefined) throw new Error("The demo does not have this.");
  return found;
}
