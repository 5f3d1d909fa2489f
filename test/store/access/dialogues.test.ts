import {
  selectLogLevel,
  saveLogLevel,
  watchResource,
  unwatchResource,
  selectWatchedResources,
  moveWatchFingerprint,
  keepDialogueSession,
  poseQuestion,
  answerQuestion,
} from "../../../src/store/access/dialogues.ts";

import { pruneAll } from "../../../src/services/job/prune.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { removeAccount } from "../../../src/services/access/remove-account.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { mostSessions, mostWatched, type DialogueKey } from "../../../src/core/access/dialogue.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { holding } from "../../scenarios/leaving-scene.ts";
import { day, minute, newAccount, newId, newServer, newToken, noon, times } from "../engine/rows.ts";

const uriOf = (index: number): string => `tickmark://servers/${String(index).padStart(3, "0")}/status`;
const marked = (uri: string, mark = "m1") => ({ uri, mark });

/** Another session of the token. */
const sessionOf = ({ tokenId }: DialogueKey): DialogueKey => ({ tokenId, session: newId() });

eachDatabase((databases) => {
  let url: string;
  /** Two processes. */
  let db: Database;
  let other: Database;
  beforeAll(async () => {
    url = await databases.url();
    db = await databases.open(url);
    other = await databases.open(url);
  });

  /** A session of a new account, and the same name in the hands of another token of it. */
  async function twoTokens(): Promise<{ key: DialogueKey; foreign: DialogueKey }> {
    const account = await newAccount(db);
    const [mine, theirs] = [await newToken(db, account), await newToken(db, account)];
    const session = newId();
    return { key: { tokenId: mine.token.id, session }, foreign: { tokenId: theirs.token.id, session } };
  }

  const prune = async (now: number): Promise<void> => {
    for await (const _ of pruneAll(db, now, defaultPlans));
  };

  describe("what a session set up", () => {
    it("[OUR-MCP-52] is what another process goes on with, and another token finds nothing of it", async () => {
      const { key, foreign } = await twoTokens();
      expect(await db.read(selectLogLevel, key)).toBeNull();
      await db.write(saveLogLevel, key, "warning", noon);
      for (const uri of ["b:2", "B:1", "a:3"])
        expect(await db.write(watchResource, key, marked(uri), noon)).toBe(true);
      await other.write(saveLogLevel, key, "debug", noon);
      await other.write(unwatchResource, key, "b:2");
      for (const through of [db, other]) {
        expect(await through.read(selectLogLevel, key)).toBe("debug");
        expect(await through.read(selectWatchedResources, key)).toEqual([marked("B:1"), marked("a:3")]);
        expect(await through.read(selectLogLevel, foreign)).toBeNull();
        expect(await through.read(selectWatchedResources, foreign)).toEqual([]);
        expect(await through.writeRelaxed(moveWatchFingerprint, foreign, "a:3", "m1", "m2")).toBe(false);
        await through.write(unwatchResource, foreign, "a:3");
        await through.writeRelaxed(keepDialogueSession, foreign, noon);
      }
      await other.write(saveLogLevel, foreign, "error", noon);
      expect(await db.read(selectLogLevel, key)).toBe("debug");
      expect(await db.read(selectWatchedResources, key)).toEqual([marked("B:1"), marked("a:3")]);
    });

    it("[OUR-MCP-52] is watched up to the limit, however many of its requests reach two processes at once", async () => {
      const { key, foreign } = await twoTokens();
      const taken = await Promise.all(
        times(mostWatched + 10).map((index) =>
          (index % 2 === 0 ? db : other).write(watchResource, key, marked(uriOf(index)), noon),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(mostWatched);
      const watched = await db.read(selectWatchedResources, key);
      expect(watched.map(({ uri }) => uri)).toEqual(
        times(mostWatched + 10)
          .filter((index) => taken[index])
          .map(uriOf),
      );
      expect(await db.write(watchResource, foreign, marked(uriOf(99)), noon)).toBe(true);
      const first = watched[0]?.uri ?? "";
      expect(await db.write(watchResource, key, marked(first, "m2"), noon)).toBe(true);
      expect(await db.read(selectWatchedResources, key)).toEqual(watched);
      await db.write(unwatchResource, key, first);
      expect(await other.write(watchResource, key, marked(uriOf(99)), noon)).toBe(true);
      expect(await other.write(watchResource, key, marked(first), noon)).toBe(false);
    });

    it("[OUR-MCP-52] is watched once where the same is asked many times at once", async () => {
      const { key } = await twoTokens();
      const all = times(12).map((index) =>
        (index % 2 === 0 ? db : other).write(watchResource, key, marked(uriOf(1)), noon),
      );
      expect(await Promise.all(all)).toEqual(times(12).map(() => true));
      expect(await db.read(selectWatchedResources, key)).toEqual([marked(uriOf(1))]);
    });

    it("[OUR-MCP-52] is told of a change by one of the streams that see it", async () => {
      const { key } = await twoTokens();
      const uri = uriOf(1);
      await db.write(watchResource, key, marked(uri), noon);
      const told = await Promise.all(
        times(10).map((index) =>
          (index % 2 === 0 ? db : other).writeRelaxed(moveWatchFingerprint, key, uri, "m1", "m2"),
        ),
      );
      expect(told.filter(Boolean)).toHaveLength(1);
      expect(await db.read(selectWatchedResources, key)).toEqual([marked(uri, "m2")]);
      expect(await db.writeRelaxed(moveWatchFingerprint, key, uriOf(2), "m1", "m2")).toBe(false);
    });

    it("[OUR-MCP-52] [OUR-STO-46] goes a week after its last use, all of it at once", async () => {
      const now = noon + 1000 * day;
      const used = now - keptMs.dialogueSession;
      const uses: [at: number, isKept: boolean, use: (key: DialogueKey, at: number) => Promise<unknown>][] = [
        [used - 1, false, (key, at) => db.writeRelaxed(keepDialogueSession, key, at)],
        [used, true, (key, at) => db.writeRelaxed(keepDialogueSession, key, at)],
        [used, true, (key, at) => db.write(watchResource, key, marked(uriOf(1)), at)],
        [used, true, (key, at) => db.write(watchResource, key, marked(uriOf(2)), at)],
        [used, true, (key, at) => db.write(saveLogLevel, key, "info", at)],
      ];
      const sessions = await Promise.all(
        uses.map(async ([at, isKept, use]) => {
          const { key } = await twoTokens();
          await db.write(saveLogLevel, key, "info", noon);
          await db.write(watchResource, key, marked(uriOf(1)), noon);
          await use(key, at);
          // A clock that is behind takes nothing away.
          await db.writeRelaxed(keepDialogueSession, key, noon);
          return { key, isKept };
        }),
      );
      await prune(now);
      for (const { key, isKept } of sessions) {
        expect(await db.read(selectLogLevel, key)).toBe(isKept ? "info" : null);
        expect((await db.read(selectWatchedResources, key)).length > 0).toBe(isKept);
        expect((await holding(url, [key.session])).toSorted()).toEqual(
          isKept ? ["dialogue_session.session", "dialogue_watch.session"] : [],
        );
      }
    });

    it("[OUR-MCP-52] is written down as in use at most once an hour", async () => {
      const now = noon + 3000 * day;
      const used = now - keptMs.dialogueSession;
      const isKept = async (after: number): Promise<boolean> => {
        const { key } = await twoTokens();
        await db.write(saveLogLevel, key, "info", used - 1);
        await other.writeRelaxed(keepDialogueSession, key, used - 1 + after);
        await prune(now);
        return (await db.read(selectLogLevel, key)) !== null;
      };
      expect(await isKept(60 * minute)).toBe(false);
      expect(await isKept(60 * minute + 1)).toBe(true);
    });

    it("[OUR-MCP-52] is kept for the sessions its token used last, when it makes another", async () => {
      const { key, foreign } = await twoTokens();
      const made = times(mostSessions).map(() => sessionOf(key));
      await db.write(saveLogLevel, foreign, "info", noon - day);
      for (const [index, each] of made.entries()) {
        await db.write(saveLogLevel, each, "info", noon + index);
        await db.write(watchResource, each, marked(uriOf(1)), noon + index);
      }
      const kept = async (): Promise<number[]> => {
        const levels = await Promise.all(made.map((each) => db.read(selectLogLevel, each)));
        return times(mostSessions).filter((index) => levels[index] !== null);
      };
      const [first, second, third] = made as [DialogueKey, DialogueKey, DialogueKey];
      await other.write(watchResource, first, marked(uriOf(2)), noon + minute);
      await other.write(saveLogLevel, third, "debug", noon + minute);
      expect(await kept()).toHaveLength(mostSessions);
      // By a clock that is behind, too.
      const late = sessionOf(key);
      await other.write(saveLogLevel, late, "error", noon - day);
      expect(await kept()).toEqual(times(mostSessions).filter((index) => index !== 1));
      expect(await db.read(selectLogLevel, late)).toBe("error");
      expect(await db.read(selectWatchedResources, second)).toEqual([]);
      expect(await holding(url, [second.session])).toEqual([]);
      await other.write(watchResource, sessionOf(key), marked(uriOf(1)), noon + minute);
      expect(await db.read(selectLogLevel, late)).toBeNull();
      expect(await kept()).toHaveLength(mostSessions - 1);
      expect(await db.read(selectLogLevel, foreign)).toBe("info");
    });

    it("[OUR-MCP-52] is kept for so many, however many are made in two processes at once", async () => {
      const { key } = await twoTokens();
      const made = times(mostSessions + 10).map(() => sessionOf(key));
      await Promise.all(
        made.map((each, index) =>
          (index % 2 === 0 ? db : other).write(watchResource, each, marked(uriOf(1)), noon),
        ),
      );
      const watched = await Promise.all(made.map((each) => db.read(selectWatchedResources, each)));
      expect(watched.flat()).toHaveLength(mostSessions);
    });

    it("[OUR-MCP-52] is not made by keeping it", async () => {
      const { key } = await twoTokens();
      await db.writeRelaxed(keepDialogueSession, key, noon);
      expect(await holding(url, [key.session])).toEqual([]);
    });
  });

  it("[OUR-MCP-52] [OUR-LEA-16] goes with its account, and what was watched of a server with the server", async () => {
    const [owner, watcher] = [await newAccount(db), await newAccount(db, { role: "admin" })];
    const { server } = await newServer(db, owner);
    const tokens = [await newToken(db, owner), await newToken(db, watcher)] as const;
    const [gone, stays] = tokens.map(({ token }) => ({ tokenId: token.id, session: newId() })) as [
      DialogueKey,
      DialogueKey,
    ];
    const watched = marked(`tickmark://servers/${server.id}/status`);
    for (const key of [gone, stays]) {
      await db.write(watchResource, key, watched, noon);
      await db.write(watchResource, key, marked("tickmark://token"), noon);
    }
    const questions = [newId(), newId()] as const;
    for (const [index, { tokenId }] of [gone, stays].entries()) {
      const question = { id: questions[index] ?? "", tokenId, call: newId(), expiresAt: noon + minute };
      await db.write(poseQuestion, question, noon);
    }
    expect(await removeAccount(db, owner.id, noon)).toBe(true);
    expect(await holding(url, [server.id, gone.tokenId, gone.session, questions[0]])).toEqual([]);
    expect(await db.read(selectWatchedResources, stays)).toEqual([marked("tickmark://token")]);
    expect(await db.write(answerQuestion, questions[1], stays.tokenId, "yes", noon)).toBe(true);
    // A call that was let in before the account went.
    expect(await db.write(watchResource, gone, watched, noon)).toBe(true);
  });
}, sharedKinds);
