import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as Turns from "../../src/core/turns.ts";

/** Turns of this file alone: in the module that all tests of this process share, others may be waiting. */
const ofThisFile = "../../src/core/turns.ts?of-this-file";
const { afterCalls, nextTurn, turnToBegin } = (await import(ofThisFile)) as typeof Turns;

/** The clock of the turns, ms: on the machine's own one a pause of a few ms would be somebody's piece. */
let clockMs = 0;
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => clockMs));
afterEach(() => void vi.restoreAllMocks());

/** Keeps the thread for so long, ms. */
const keepThread = (ms: number): void => void (clockMs += ms);

const nextPass = () => new Promise((resolve) => setImmediate(resolve));

/** How many pieces each pass of the event loop had until `work` ended. */
async function piecesOfPasses(work: (piece: () => void) => Promise<unknown>): Promise<number[]> {
  const passes = [0];
  const counting = new AbortController();
  const count = (): void => {
    passes.push(0);
    if (!counting.signal.aborted) setImmediate(count);
  };
  count();
  await work(() => void (passes[passes.length - 1] = (passes.at(-1) ?? 0) + 1));
  counting.abort();
  return passes;
}

describe("work that takes turns", () => {
  it("shares 4 ms of a pass of the event loop, however much of it there is", async () => {
    const order: number[] = [];
    const passes = await piecesOfPasses((piece) =>
      Promise.all(
        [0, 1, 2, 3, 4].map(async (one) => {
          for (let round = 0; round < 3; round += 1) {
            await nextTurn();
            // What follows from a piece belongs to it.
            await Promise.resolve();
            keepThread(4);
            order.push(one);
            piece();
          }
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    expect(Math.max(...passes)).toBeLessThanOrEqual(2);
  });

  it("has short pieces in one pass", async () => {
    const passes = await piecesOfPasses(async (piece) => {
      for (let count = 0; count < 50; count += 1) {
        await nextTurn();
        piece();
      }
    });
    expect(Math.max(...passes)).toBeGreaterThan(10);
  });

  it("is joined by calls that come when a pass has begun others for 6 ms", async () => {
    await nextPass();
    const early = [turnToBegin(), turnToBegin()];
    expect(early).toEqual([null, null]);
    keepThread(8);
    const late = turnToBegin();
    expect(late).toBeInstanceOf(Promise);
    await late;
    await nextPass();
    expect(turnToBegin()).toBeNull();
  });

  it("comes after calls that waited, and after what these send", async () => {
    await nextPass();
    turnToBegin();
    keepThread(8);
    const order: string[] = [];
    const piece = nextTurn().then(() => order.push("piece"));
    afterCalls(() => void order.push("sent"));
    await turnToBegin();
    order.push("call");
    afterCalls(() => void order.push("sent too"));
    await piece;
    expect(order).toEqual(["call", "sent", "sent too", "piece"]);
  });
});
