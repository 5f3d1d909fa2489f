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

/** Interval of checks for an answer, ms; a person takes longer. */
const lookEveryMs = 250;
/** Interval of keep-alive lines, ms: proxies close silent streams, the first after 30 s. */
const aliveEveryMs = 15_000;

interface Waiting {
  readonly db: Database;
  readonly session: string;
  /** False if the token has too many open questions. */
  readonly pose: (question: OpenQuestion, now: Instant) => Promise<boolean>;
  readonly tokenId: () => Promise<string>;
  /** Identifies the call among the calls of the token. */
  readonly call: string;
  readonly clock: () => Instant;
  readonly stream: () => LiveStream;
  /** Whether the credential is still accepted; a refused caller gets no answer. */
  readonly isGood: () => Promise<boolean>;
}

/**
 * For older revisions: the question is sent on the call's stream, and the reply may reach another process.
 */
export const waitingPerson = (waiting: Waiting): ConfirmingPerson => ({
  ask: async (question) => {
    const { db, pose, call, clock, stream, session } = waiting;
    const tokenId = await waiting.tokenId();
    const key = { tokenId, session };
    // An earlier question of the session stayed unanswered, so the person is not asked again.
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
      // If the delete fails, the question expires in a few minutes.
      await db.write(deleteQuestion, id).catch(() => {});
    }
  },
});

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

/** While the database is unavailable, the person is asked all the same. */
function notKnown(error: unknown): false {
  if (error instanceof Unavailable) return false;
  throw error;
}

/** While the database is unavailable, polling goes on: the person may still answer. */
function notNow(error: unknown): null {
  if (error instanceof Unavailable) return null;
  throw error;
}
