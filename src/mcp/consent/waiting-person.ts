import type { Database } from "../../store/engine/database.ts";
import {
  isSessionUnanswered,
  markSessionUnanswered,
  selectAnswer,
  deleteQuestion,
} from "../../store/access/dialogues.ts";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { questionLifetimeMs, type OpenQuestion } from "../../core/access/dialogue.ts";
import { Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { LiveStream } from "../transport/live-stream.ts";
import {
  questionRequest,
  readReply,
  type ConfirmingPerson,
  type ConfirmationQuestion,
  type ConfirmationAnswer,
} from "./person.ts";

/** How often it is looked whether an answer has come in, ms: a person takes longer. */
const lookEveryMs = 250;
/** How often a stream that waits says that it is still there, ms: proxies close silent ones, the first after 30 s. */
const aliveEveryMs = 15_000;

interface Waiting {
  readonly db: Database;
  /** The name of the session that the call is of. */
  readonly session: string;
  /** False when the token has too many open questions. */
  readonly pose: (question: OpenQuestion, now: Instant) => Promise<boolean>;
  readonly tokenId: () => Promise<string>;
  /** Stands for the call among those of the token. */
  readonly call: string;
  readonly clock: () => Instant;
  /** The stream of the call's answer. */
  readonly stream: () => LiveStream;
  /** Whether the caller's credential is still good; checked while waiting, since a refused caller gets no answer. */
  readonly isGood: () => Promise<boolean>;
}

/**
 * The person at a client of an older revision: the question goes out on the stream of the call's own answer, and
 * what was said comes in as a message of its own, perhaps to another process.
 */
export const waitingPerson = (waiting: Waiting): ConfirmingPerson => ({
  ask: async (question) => {
    const { db, pose, call, clock, stream, session } = waiting;
    const tokenId = await waiting.tokenId();
    const key = { tokenId, session };
    // The client declares that it can ask, but nobody is there: the model gets its answer at once.
    if (await db.read(isSessionUnanswered, key).catch(notKnown)) return { action: "cancel" };
    const id = randomBytes(24).toString("base64url");
    const now = clock();
    const open = { id, tokenId, call, expiresAt: now + questionLifetimeMs };
    if (!(await pose(open, now))) return { action: "cancel" };
    try {
      const live = stream();
      live.send({ jsonrpc: "2.0", id, ...questionRequest(question) });
      const answer = await answerTo(id, question, live, waiting);
      if (answer.action === "cancel" && !answer.givenUp && !live.gone.aborted)
        await db.write(markSessionUnanswered, key, clock()).catch(notKnown);
      return answer;
    } finally {
      // A question that stays in the database expires in a few minutes.
      await db.write(deleteQuestion, id).catch(() => {});
    }
  },
});

/** Polls until the person has answered, the client is gone, or the time is over. */
async function answerTo(
  id: string,
  question: ConfirmationQuestion,
  { stayAlive, gone }: LiveStream,
  { db, isGood }: Waiting,
): Promise<ConfirmationAnswer> {
  const begun = performance.now();
  let alive = begun;
  while (!gone.aborted && performance.now() - begun < questionLifetimeMs) {
    const answer = await db.read(selectAnswer, id).catch(notNow);
    if (answer !== null) return readReply(JSON.parse(answer), question) ?? { action: "cancel" };
    if (performance.now() - alive >= aliveEveryMs) {
      if (!(await isGood())) break;
      stayAlive();
      alive = performance.now();
    }
    await sleep(lookEveryMs, undefined, { signal: gone }).catch(() => {});
  }
  return { action: "cancel" };
}

/** Without a database the question is asked again. */
function notKnown(error: unknown): false {
  if (error instanceof Unavailable) return false;
  throw error;
}

/** A moment without database: the person may well be about to answer. */
function notNow(error: unknown): null {
  if (error instanceof Unavailable) return null;
  throw error;
}
