import { insertSecurityRows } from "../../../src/store/security-log/security-log.ts";
import { intercepting, nowhere } from "../../support/intercept.ts";
import { expect, it } from "vitest";
import { securityLog } from "../../../src/app/logs/security-log.ts";
import { Unavailable } from "../../../src/core/errors.ts";
import type { SecurityEvent, SecurityRow } from "../../../src/core/security-log/event.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../../src/core/time.ts";

const start = Date.UTC(2026, 10, 20);

const refused = (changes: Partial<SecurityEvent> = {}): SecurityEvent => ({
  kind: "sign_in_refused",
  accountId: null,
  address: "192.0.2.1",
  tokenId: null,
  detail: "wrong",
  ...changes,
});

function logOf() {
  const kept = new Map<string, SecurityRow>();
  const state = { down: false, saves: 0 };
  let serial = 0;
  const log = securityLog(
    intercepting(nowhere, insertSecurityRows, async (_usual, rows) => {
      if (state.down) throw new Unavailable(new Error("down"));
      state.saves += rows.length;
      for (const row of rows) kept.set(row.id, row);
    }),
    { newId: () => `id${(serial += 1)}` },
  );
  const rows = (): SecurityRow[] => [...kept.values()];
  const counted = (): number => rows().reduce((sum, { times }) => sum + times, 0);
  return { log, state, rows, counted };
}

it("[OUR-SEC-02] alike refusals of one address within a minute are one row, and what differs is another", async () => {
  const { log, rows } = logOf();
  for (const second of [0, 10, 59]) {
    log.note(refused(), start + second * secondMs);
    await log.flush(start + second * secondMs);
  }
  log.note(refused(), start + minuteMs);
  log.note(refused({ address: "192.0.2.2" }), start + minuteMs);
  log.note(refused({ accountId: "a" }), start + minuteMs);
  log.note(refused({ detail: "too many tries" }), start + minuteMs);
  log.note(refused({ kind: "code_refused" }), start + minuteMs);
  await log.flush(start + minuteMs);
  expect(rows().map(({ times }) => times)).toEqual([3, 1, 1, 1, 1, 1]);
  expect(rows()[0]).toMatchObject({ at: start, lastAt: start + 59 * secondMs, address: "192.0.2.1" });
});

it("[OUR-SEC-03] 100,000 refusals are at most 1,000 rows, whoever sends them, and each is counted", async () => {
  const floods: Readonly<Record<string, (index: number) => [SecurityEvent, number]>> = {
    "one address": () => [refused(), 0],
    "100,000 addresses": (index) => [refused({ address: `${index}` }), 0],
    "100,000 addresses on 100,000 accounts": (index) => [
      refused({ address: `${index}`, accountId: `a${index}` }),
      0,
    ],
    "a day long": (index) => [
      refused({
        address: `${index}`,
        accountId: `a${index % 999}`,
        kind: kinds[index % 5] ?? "code_refused",
      }),
      Math.floor((index * (dayMs - 1)) / 100_000),
    ],
  };
  for (const [name, flood] of Object.entries(floods)) {
    const { log, rows, counted } = logOf();
    for (let index = 0; index < 100_000; index += 1) {
      const [event, after] = flood(index);
      log.note(event, start + after);
      if (index % 1000 === 0) await log.flush(start + after);
    }
    await log.flush(start + dayMs);
    console.log(`100,000 refusals, ${name}: rows = ${rows().length}, counted = ${counted()}`);
    expect(rows().length).toBeLessThanOrEqual(1000);
    expect(counted()).toBe(100_000);
  }
});
const kinds = [
  "sign_in_refused",
  "password_refused",
  "set_up_refused",
  "code_refused",
  "credential_refused",
] as const;

it("[OUR-SEC-03] a flood hides nothing that people changed, and leaves the next day its room", async () => {
  const { log, rows } = logOf();
  for (let index = 0; index < 5000; index += 1) log.note(refused({ address: `${index}` }), start);
  const change = refused({ kind: "password_changed", accountId: "a", detail: null });
  log.note(change, start + 1);
  log.note(refused({ accountId: "d", address: "beside the flood" }), start + 2);
  await log.flush(start + 2);
  expect(rows()).toContainEqual(expect.objectContaining(change));
  // Of an account that is tried meanwhile its owner learns that, if not from where.
  expect(rows()).toContainEqual(expect.objectContaining({ kind: "sign_in_refused", accountId: "d" }));
  // Somebody who makes tokens without end fills their own share alone.
  for (let index = 0; index < 5000; index += 1)
    log.note(refused({ kind: "token_created", accountId: "b", tokenId: `${index}` }), start + 3);
  log.note(refused({ kind: "token_created", accountId: "c", tokenId: "t" }), start + 4);
  await log.flush(start + 5);
  expect(rows().filter(({ accountId }) => accountId === "b").length).toBeLessThanOrEqual(101);
  expect(rows()).toContainEqual(expect.objectContaining({ accountId: "c", tokenId: "t" }));
  log.note(refused({ address: "tomorrow" }), start + dayMs);
  await log.flush(start + dayMs);
  expect(rows()).toContainEqual(expect.objectContaining({ address: "tomorrow" }));
});

it("[OUR-SEC-07] what cannot be written waits and is written once, with all that came meanwhile", async () => {
  const { log, rows, state, counted } = logOf();
  state.down = true;
  log.note(refused(), start);
  await expect(log.flush(start)).rejects.toThrow(Unavailable);
  log.note(refused(), start + secondMs);
  await expect(log.flush(start + secondMs)).rejects.toThrow(Unavailable);
  state.down = false;
  await log.flush(start + 2 * hourMs);
  expect([rows().length, counted()]).toEqual([1, 2]);
  const { saves } = state;
  await log.flush(start + 3 * hourMs);
  expect(state.saves).toBe(saves);
});
