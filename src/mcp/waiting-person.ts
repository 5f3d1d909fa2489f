import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { questionLifetimeMs, type DialogueStore } from "../core/access/dialogue.ts";
import type { Instant } from "../core/time.ts";
import type { LiveStream } from "./live-stream.ts";
import { questionRequest, readSaid, type Person, type Question, type Said } from "./person.ts";

/** How often it is looked whether an answer has come in, ms: a person takes longer. */
const lookEveryMs = 250;
/** How often a stream that waits says that it is still there, ms: proxies close silent ones, the first after 30 s. */
const aliveEveryMs = 15_000;

interface Waiting {
  readonly store: DialogueStore;
  readonly tokenId: () => Promise<string>;
  readonly clock: () => Instant;
  /** The stream of the call's answer. */
  readonly stream: () => LiveStream;
}

/**
 * The person at a client of an older revision: the question goes out on the stream of the call's own answer, and
 * what was said comes in as a message of its own, perhaps to another process.
 */
export const waitingPerson = ({ store, tokenId, clock, stream }: Waiting): Person => ({
  ask: async (question) => {
    const id = randomBytes(24).toString("base64url");
    await store.pose(id, await tokenId(), clock() + questionLifetimeMs);
    try {
      const open = stream();
      open.send({ jsonrpc: "2.0", id, ...questionRequest(question) });
      return await answerTo(question, () => store.answerTo(id), open);
    } finally {
      await store.withdraw(id);
    }
  },
});

/** Looks until somebody has answered, nobody waits any more, or it took too long. */
async function answerTo(
  question: Question,
  look: () => Promise<string | null>,
  { stayAlive, gone }: LiveStream,
): Promise<Said> {
  const begun = performance.now();
  let alive = begun;
  while (!gone.aborted && performance.now() - begun < questionLifetimeMs) {
    const answer = await look();
    if (answer !== null) return readSaid(JSON.parse(answer), question) ?? { action: "cancel" };
    if (performance.now() - alive >= aliveEveryMs) {
      stayAlive();
      alive = performance.now();
    }
    await sleep(lookEveryMs, undefined, { signal: gone }).catch(() => {});
  }
  return { action: "cancel" };
}
