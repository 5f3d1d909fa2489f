import { mostWatched, type DialogueKey, type DialogueStore, type LogLevel } from "../core/access/dialogue.ts";
import { all, one, run, type Database, type Result, type Step } from "./database.ts";
import { query } from "./query.ts";

type Key = { token: string; session: string };

const placed = ({ tokenId, session }: DialogueKey): Key => ({ token: tokenId, session });

const findLevel = query<Key>()((db, $) =>
  db
    .selectFrom("dialogue_session")
    .select("log_level")
    .where("token_id", "=", $.token)
    .where("session", "=", $.session),
);

const saveLevel = query<Key & { level: string; now: number }>()((db, $) =>
  db
    .insertInto("dialogue_session")
    .values({ token_id: $.token, session: $.session, log_level: $.level, used_at: $.now })
    .onConflict((conflict) =>
      conflict.columns(["token_id", "session"]).doUpdateSet((eb) => ({
        log_level: eb.ref("excluded.log_level"),
        used_at: eb.ref("excluded.used_at"),
      })),
    ),
);

/** Makes the session where there is none. Either way its row is locked until the transaction ends. */
const hold = query<Key & { now: number }>()((db, $) =>
  db
    .insertInto("dialogue_session")
    .values({ token_id: $.token, session: $.session, log_level: null, used_at: $.now })
    .onConflict((conflict) =>
      conflict.columns(["token_id", "session"]).doUpdateSet((eb) => ({
        used_at: eb.ref("excluded.used_at"),
      })),
    ),
);

const keep = query<Key & { now: number }>()((db, $) =>
  db
    .updateTable("dialogue_session")
    .set({ used_at: $.now })
    .where("token_id", "=", $.token)
    .where("session", "=", $.session)
    .where("used_at", "<", $.now),
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

/** One statement: of two streams that saw the same change one moves the mark. */
const moveMark = query<Key & { uri: string; from: string; to: string }>()((db, $) =>
  db
    .updateTable("dialogue_watch")
    .set({ mark: $.to })
    .where("token_id", "=", $.token)
    .where("session", "=", $.session)
    .where("uri", "=", $.uri)
    .where("mark", "=", $.from),
);

const insertQuestion = query<{ id: string; token: string; until: number }>()((db, $) =>
  db
    .insertInto("dialogue_question")
    .values({ id: $.id, token_id: $.token, answer: null, expires_at: $.until }),
);

/** One statement: of two answers one finds the question open. */
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

type Watch = Key & { uri: string; mark: string; now: number };

/** The session is held first, so that no two of its requests count what it watches at once. */
function* watch({ now, uri, mark, ...key }: Watch): Generator<Step, boolean, Result> {
  yield* run(hold, { ...key, now });
  const watched = yield* all(findWatched, key);
  if (watched.some((known) => known.uri === uri)) return true;
  if (watched.length >= mostWatched) return false;
  yield* run(insertWatch, { ...key, uri, mark });
  return true;
}

type Questions = Pick<DialogueStore, "pose" | "reply" | "answerTo" | "withdraw">;

const questions = (db: Database): Questions => ({
  pose: (id, tokenId, expiresAt) =>
    db.write("saved", function* () {
      yield* run(insertQuestion, { id, token: tokenId, until: expiresAt });
    }),
  reply: (id, tokenId, text, now) =>
    db.write("saved", function* () {
      return (yield* run(answer, { id, token: tokenId, answer: text, now })) > 0;
    }),
  answerTo: (id) =>
    db.read(function* () {
      return (yield* one(findAnswer, { id }))?.answer ?? null;
    }),
  withdraw: (id) =>
    db.write("saved", function* () {
      yield* run(removeQuestion, { id });
    }),
});

type Sessions = Omit<DialogueStore, keyof Questions>;

const sessions = (db: Database): Sessions => ({
  logLevel: (key) =>
    db.read(function* () {
      const row = yield* one(findLevel, placed(key));
      return (row?.log_level ?? null) as LogLevel | null;
    }),
  setLogLevel: (key, level, now) =>
    db.write("saved", function* () {
      yield* run(saveLevel, { ...placed(key), level, now });
    }),
  watch: (key, { uri, mark }, now) => db.write("saved", () => watch({ ...placed(key), uri, mark, now })),
  unwatch: (key, uri) =>
    db.write("saved", function* () {
      yield* run(removeWatch, { ...placed(key), uri });
    }),
  watched: (key) =>
    db.read(function* () {
      // By its characters: the databases order text each in its own way.
      return (yield* all(findWatched, placed(key))).toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
    }),
  // What a power cut forgets of these is told once more, or goes a moment earlier.
  tell: (key, uri, from, to) =>
    db.write("counted", function* () {
      return (yield* run(moveMark, { ...placed(key), uri, from, to })) > 0;
    }),
  keep: (key, now) =>
    db.write("counted", function* () {
      yield* run(keep, { ...placed(key), now });
    }),
});

export const dialogueStore = (db: Database): DialogueStore => ({ ...sessions(db), ...questions(db) });
