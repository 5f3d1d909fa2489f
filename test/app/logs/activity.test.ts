import { recordActivityOfTokens } from "../../../src/services/access/record-activity.ts";
import { intercepting, nowhere } from "../../support/intercept.ts";
import { expect, it } from "vitest";
import { activityLog } from "../../../src/app/logs/activity.ts";
import type { Activity, ActivityEntry } from "../../../src/core/access/activity.ts";
import { Unavailable } from "../../../src/core/errors.ts";

const deed = (changes: Partial<ActivityEntry> = {}): ActivityEntry => ({
  accountId: "a",
  tokenId: "t",
  call: "servers.list",
  status: 200,
  error: null,
  ...changes,
});
const limited = deed({ status: 429, error: "rate_limited" });

function logOf() {
  const written: Activity[] = [];
  const state = { down: false };
  let serial = 0;
  const log = activityLog(
    intercepting(nowhere, recordActivityOfTokens, async (_usual, rows) => {
      if (state.down) throw new Unavailable(new Error("down"));
      written.push(...rows);
    }),
    { newId: () => `id${(serial += 1)}` },
  );
  const take = () => written.splice(0).map(({ call, error, at, times }) => ({ call, error, at, times }));
  return { log, state, take };
}

it("[OUR-ACT-03] alike calls are one row, and what differs in anything is another", async () => {
  const { log, take } = logOf();
  for (const at of [1, 2, 3]) log.note(deed(), true, at);
  log.note(deed({ call: "reports.list" }), true, 4);
  log.note(deed({ status: 403, error: "missing_scope" }), true, 5);
  log.note(deed({ tokenId: "u" }), true, 6);
  await log.flush(1000);
  expect(take()).toEqual([
    { call: "servers.list", error: null, at: 3, times: 3 },
    { call: "reports.list", error: null, at: 4, times: 1 },
    { call: "servers.list", error: "missing_scope", at: 5, times: 1 },
    { call: "servers.list", error: null, at: 6, times: 1 },
  ]);
  await log.flush(2000);
  expect(take()).toEqual([]);
});

it("[OUR-ACT-03] calls that count nowhere are one row a minute, the first at once", async () => {
  const { log, take } = logOf();
  log.note(limited, false, 10);
  await log.flush(1000);
  expect(take()).toHaveLength(1);
  for (let second = 2; second < 60; second += 1) {
    log.note(limited, false, second * 1000);
    log.note(deed(), true, second * 1000);
    await log.flush(second * 1000);
  }
  expect(take().filter(({ error }) => error !== null)).toEqual([]);
  await log.flush(61_000);
  expect(take()).toEqual([{ call: "servers.list", error: "rate_limited", at: 59_000, times: 58 }]);
  log.note(limited, false, 62_000);
  await log.close(62_500);
  expect(take()).toEqual([{ call: "servers.list", error: "rate_limited", at: 62_000, times: 1 }]);
});

it("[OUR-ACT-05] what cannot be written waits for the database, ten thousand rows at most", async () => {
  const { log, state, take } = logOf();
  state.down = true;
  for (let index = 0; index < 12_000; index += 1) log.note(deed({ call: `c${index}` }), true, index);
  await expect(log.flush(1000)).rejects.toThrow(Unavailable);
  log.note(deed({ call: "c0" }), true, 1500);
  state.down = false;
  await log.flush(2000);
  const rows = take();
  expect(rows).toHaveLength(10_000);
  expect(rows.find(({ call }) => call === "c0")).toEqual({ call: "c0", error: null, at: 1500, times: 2 });
});
