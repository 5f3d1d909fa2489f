import { ping } from "../../../src/store/engine/ping.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { selectAccounts } from "../../../src/store/access/accounts.ts";
import { consumeWindows } from "../../../src/store/access/rate-windows.ts";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { whyPostgresIsSkipped } from "../../support/databases.ts";
import { startPostgres, type PostgresServer } from "../../support/postgres.ts";
import { newAccount, newId, times } from "./rows.ts";

/** A line to the server that can be made to swallow everything, as a network does. */
async function lineTo(port: number) {
  let silent = false;
  const sockets = new Set<Socket>();
  const line: Server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => silent || to.write(bytes));
      from.on("close", () => to.destroy());
      from.on("error", () => to.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  return {
    port: (line.address() as AddressInfo).port,
    silence: (on: boolean) => {
      silent = on;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      line.close();
    },
  };
}

describe.skipIf(whyPostgresIsSkipped() !== null)("PostgreSQL", () => {
  let server: PostgresServer;
  let db: Database;
  const lost: Error[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    db = await openDatabase(server.url, (error) => lost.push(error));
  });
  afterAll(async () => {
    await db.close();
    await server.stop();
  });

  const answers = async (): Promise<unknown[]> => {
    const rule = { kind: "account_day", key: newId(), lengthMs: 1000, limit: 9 } as const;
    const calls = times(12).map((index) =>
      [() => newAccount(db), () => db.read(selectAccounts), () => consumeWindows(db, [rule], 0)][
        index % 3
      ]?.(),
    );
    return (await Promise.allSettled(calls)).map((settled) =>
      settled.status === "fulfilled" ? "answered" : settled.reason,
    );
  };
  const areUnavailable = (reasons: readonly unknown[]): boolean =>
    reasons.every((reason) => reason instanceof Unavailable);

  it.each(["fast", "immediate"] as const)(
    "[OUR-STO-42] stopped (%s) under a pool is unavailable, and works again when it is back",
    async (how) => {
      expect(new Set(await answers())).toEqual(new Set(["answered"]));
      await server.halt(how);
      expect(areUnavailable(await answers())).toBe(true);
      await expect(ping(db)).rejects.toThrow(Unavailable);
      await server.resume();
      expect(new Set(await answers())).toEqual(new Set(["answered"]));
      await expect(ping(db)).resolves.toBeDefined();
    },
  );

  it.each(["fast", "immediate"] as const)(
    "[OUR-STO-42] stopped (%s) in the middle of calls rejects them and ends no process",
    async (how) => {
      const enough = new AbortController();
      const reasons: unknown[] = [];
      let failed: () => void = () => {};
      const firstFailure = new Promise<void>((resolve) => {
        failed = resolve;
      });
      const caller = async (): Promise<void> => {
        while (!enough.signal.aborted) {
          await newAccount(db).catch((error: unknown) => {
            reasons.push(error);
            failed();
          });
        }
      };
      const callers = times(8).map(() => caller());
      await db.read(selectAccounts);
      await server.halt(how);
      await firstFailure;
      enough.abort();
      await Promise.all(callers);
      expect(areUnavailable(reasons)).toBe(true);
      await server.resume();
      expect(new Set(await answers())).toEqual(new Set(["answered"]));
    },
  );

  it("[OUR-STO-43] that swallows calls without an answer is unavailable, and works again when it answers", async () => {
    const url = new URL(server.url);
    const line = await lineTo(Number(url.port));
    url.port = String(line.port);
    url.searchParams.set("query_timeout", "300");
    const far = await openDatabase(url.href, () => {});
    await ping(far);
    line.silence(true);
    await expect(ping(far)).rejects.toThrow(Unavailable);
    await ping(db);
    line.silence(false);
    await expect(ping(far)).resolves.toBeDefined();
    line.close();
    await far.close();
  });

  it("[OUR-STO-42] that is not there when it is opened is unavailable", async () => {
    const url = new URL(server.url);
    url.port = "1";
    await expect(openDatabase(url.href, () => {})).rejects.toThrow(Unavailable);
    await expect(openDatabase("postgres://x@%2Ftmp%2Fno-such-folder/x", () => {})).rejects.toThrow(
      Unavailable,
    );
  });

  it("[OUR-STO-41] a mistake of ours is no unavailability, and leaves a connection that works", async () => {
    const account = await newAccount(db);
    for (const _ of times(12))
      await expect(newAccount(db, { id: account.id })).rejects.not.toBeInstanceOf(Unavailable);
    expect(new Set(await answers())).toEqual(new Set(["answered"]));
  });
});
