import {
  type Watched,
  mostQuestions,
  mostSessions,
  mostWatched,
  type DialogueKey,
  type LogLevel,
  type OpenQuestion,
} from "../../core/access/dialogue.ts";
import { hourMs, type Instant } from "../../core/time.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";

/** Sessions are kept a week, so the time of last use need not be exact. */
const keptEveryMs = hourMs;

type Key = { token: string; session: string };

const placed = ({ tokenId, session }: DialogueKey): Key => ({ token: tokenId, session });

const findLevel = query<Key>()((db, $) =>
  db
    .selectFrom("dialogue_session")
    .select("log_level")
    .where("token_id", "=", $.token)
    .where("session", "=", $.session),
);

/**
 * Serializes creations of one token, so that their count holds. A deleted token has no row to lock: its late
 * calls may exceed a limit, and their rows expire by age.
 */
const lockToken = query<{ token: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("api_token").select("id").where("id", "=", $.token)),
);

/** Also locks the session's row, if there is one, until the transaction ends. */
const use = query<Key & { now: number }>()((db, $) =>
  db
    .updateTable("dialogue_session")
    .set({ used_at: $.now })
    .where("token_id", "=", $.token)
    .where("session", "=", $.session),
);

const insertSession = query<Key & { now: number }>()((db, $) =>
  db
    .insertInto("dialogue_session")
    .values({
      token_id: $.token,
      session: $.session,
      log_level: null,
      used_at: $.now,
      unanswered_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(["token_id", "session"]).doUpdateSet((eb) => ({
        used_at: eb.ref("excluded.used_at"),
      })),
    ),
);

/** Never deletes this session, whatever the clocks say. Watches of the deleted sessions go with them. */
const removeOthersBeyond = query<Key & { others: number }>()((db, $) =>
  db
    .deleteFrom("dialogue_session")
    .where("token_id", "=", $.token)
    .where("session", "in", (of) =>
      of
        .selectFrom("dialogue_session")
        .select("session")
        .where("token_id", "=", $.token)
        .where("session", "!=", $.session)
        .orderBy("used_at", "desc")
        .orderBy("session", "desc")
        .limit(Number.MAX_SAFE_INTEGER)
        .offset($.others),
    ),
);

const saveLevel = query<Key & { level: string }>()((db, $) =>
  db
    .updateTable("dialogue_session")
    .set({ log_level: $.level })
    .where("token_id", "=", $.token)
    .where("session", "=", $.session),
);

const findUnanswered = query<Key>()((db, $) =>
  db
    .selectFrom("dialogue_session")
    .select("unanswered_at")
    .where("token_id", "=", $.token)
    .where("session", "=", $.session),
);

const saveUnanswered = query<Key & { now: number }>()((db, $) =>
  db
    .updateTable("dialogue_session")
    .set({ unanswered_at: $.now })
    .where("token_id", "=", $.token)
    .where("session", "=", $.session),
);

const keep = query<Key & { now: number; before: number }>()((db, $) =>
  db
    .updateTable("dialogue_session")
    .set({ used_at: $.now })
    .where("token_id", "=", $.token)
    .where("session", "=", $.session)
    .where("used_at", "<", $.before),
);

const findWatched = query<Key>()((db, $) =>
  db
    .selectFrom("dialogue_watch")
    .select(["uri", "mark"])
    .where("token_id", "=", $.token)
    .where("session", "=", $.session),
);

const insertWatch = query<Key & { uri: string; mark: string }>()((db, $) =>
  db.insertInto("dialogue_watch").values({ token_id: $.token, session: $.session, uri: $.uri, mark: $.mark }),
);

const removeWatch = query<Key & { uri: string }>()((db, $) =>
  db
    .deleteFrom("dialogue_watch")
    .where("token_id", "=", $.token)
    .where("session", "=", $.session)
    .where("uri", "=", $.uri),
);

/** Of two streams that saw the same change, only one moves the mark. */
const moveMark = query<Key & { uri: string; from: string; to: string }>()((db, $) =>
  db
    .updateTable("dialogue_watch")
    .set({ mark: $.to })
    .where("token_id", "=", $.token)
    .where("session", "=", $.session)
    .where("uri", "=", $.uri)
    .where("mark", "=", $.from),
);

const countOpen = query<{ token: string; now: number }>()((db, $) =>
  db
    .selectFrom("dialogue_question")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("token_id", "=", $.token)
    .where("answer", "is", null)
    .where("expires_at", ">", $.now),
);

const insertQuestion = query<{ id: string; token: string; call: string; until: number }>()((db, $) =>
  db
    .insertInto("dialogue_question")
    .values({ id: $.id, token_id: $.token, call: $.call, answer: null, expires_at: $.until }),
);

/** Also replaces an answer that the call has not read yet. */
const answerAll = query<{ token: string; call: string; answer: string }>()((db, $) =>
  db
    .updateTable("dialogue_question")
    .set({ answer: $.answer })
    .where("token_id", "=", $.token)
    .where("call", "=", $.call),
);

/** Of two concurrent answers, only one finds the question open. */
const answer = query<{ id: string; token: string; answer: string; now: number }>()((db, $) =>
  db
    .updateTable("dialogue_question")
    .set({ answer: $.answer })
    .where("id", "=", $.id)
    .where("token_id", "=", $.token)
    .where("answer", "is", null)
    .where("expires_at", ">", $.now),
);

const findAnswer = query<{ id: string }>()((db, $) =>
  db.selectFrom("dialogue_question").select("answer").where("id", "=", $.id),
);

const removeQuestion = query<{ id: string }>()((db, $) =>
  db.deleteFrom("dialogue_question").where("id", "=", $.id),
);

/** Makes sure that the session's row exists, and locks it until the transaction ends. */
function* hold(key: Key, now: Instant): Work<void> {
  if ((yield* run(use, { ...key, now })) > 0) return;
  yield* one(lockToken, { token: key.token });
  yield* run(insertSession, { ...key, now });
  yield* run(removeOthersBeyond, { ...key, others: mostSessions - 1 });
}

type Watch = Key & { uri: string; mark: string; now: number };

/** Locks the session first, so that two of its requests do not count its watches at once. */
function* watch({ now, uri, mark, ...key }: Watch): Work<boolean> {
  yield* hold(key, now);
  const watched = yield* all(findWatched, key);
  if (watched.some((known) => known.uri === uri)) return true;
  if (watched.length >= mostWatched) return false;
  yield* run(insertWatch, { ...key, uri, mark });
  return true;
}

export function* poseQuestion(question: OpenQuestion, now: Instant): Work<boolean> {
  const { id, tokenId: token, call, expiresAt } = question;
  yield* one(lockToken, { token });
  const open = yield* one(countOpen, { token, now });
  if ((open?.count ?? 0) >= mostQuestions) return false;
  yield* run(insertQuestion, { id, token, call, until: expiresAt });
  return true;
}

/** The least severe level that the session wants; null if it never set one. */
export function* selectLogLevel(key: DialogueKey): Work<LogLevel | null> {
  const row = yield* one(findLevel, placed(key));
  return (row?.log_level ?? null) as LogLevel | null;
}

export function* saveLogLevel(key: DialogueKey, level: LogLevel, now: Instant): Work<void> {
  yield* hold(placed(key), now);
  yield* run(saveLevel, { ...placed(key), level });
}

/** Whether the session's user left a question unanswered, so that it is not asked again. */
export function* isSessionUnanswered(key: DialogueKey): Work<boolean> {
  return ((yield* one(findUnanswered, placed(key)))?.unanswered_at ?? null) !== null;
}

export function* markSessionUnanswered(key: DialogueKey, now: Instant): Work<void> {
  yield* hold(placed(key), now);
  yield* run(saveUnanswered, { ...placed(key), now });
}

/** False if the session already watches `mostWatched` others. A known watch keeps its mark. */
export function* watchResource(key: DialogueKey, { uri, mark }: Watched, now: Instant): Work<boolean> {
  return yield* watch({ ...placed(key), uri, mark, now });
}

export function* unwatchResource(key: DialogueKey, uri: string): Work<void> {
  yield* run(removeWatch, { ...placed(key), uri });
}

export function* selectWatchedResources(key: DialogueKey): Work<readonly Watched[]> {
  // Sorted here, because the two databases collate text differently.
  return (yield* all(findWatched, placed(key))).toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** False if the mark is no longer `from`: another stream notified the session. */
export function* moveWatchFingerprint(
  key: DialogueKey,
  uri: string,
  from: string,
  to: string,
): Work<boolean> {
  return (yield* run(moveMark, { ...placed(key), uri, from, to })) > 0;
}

/** Records the use of a session, at most once an hour. A session without a row needs no record. */
export function* keepDialogueSession(key: DialogueKey, now: Instant): Work<void> {
  yield* run(keep, { ...placed(key), now, before: now - keptEveryMs });
}

/** Answers the questions of a call that was given up, and replaces an answer not read yet. */
export function* giveUpQuestions(tokenId: string, call: string, text: string): Work<void> {
  yield* run(answerAll, { token: tokenId, call, answer: text });
}

/** False if the question is not open to this token: another's, answered, withdrawn or expired. */
export function* answerQuestion(id: string, tokenId: string, text: string, now: Instant): Work<boolean> {
  return (yield* run(answer, { id, token: tokenId, answer: text, now })) > 0;
}

/** Null while unanswered. It checks no token, so only the call that posed the question may use it. */
export function* selectAnswer(id: string): Work<string | null> {
  return (yield* one(findAnswer, { id }))?.answer ?? null;
}

export function* deleteQuestion(id: string): Work<void> {
  yield* run(removeQuestion, { id });
}
