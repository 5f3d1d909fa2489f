import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { mostWatched, questionLifetimeMs, type DialogueKey } from "../../src/core/access/dialogue.ts";
import { keptMs } from "../../src/core/job/prune.ts";
import { storesOn } from "../../src/store/stores.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { holding } from "../scenarios/leaving-scene.ts";
import { day, newAccount, newId, newServer, newToken, noon, times, type Stores } from "./rows.ts";

const uriOf = (index: number): string => `tickmark://servers/${String(index).padStart(3, "0")}/status`;
const marked = (uri: string, mark = "m1") => ({ uri, mark });

eachDatabase((databases) => {
  let url: string;
  /** Two processes. */
  let stores: Stores;
  let other: Stores;
  beforeAll(async () => {
    url = await databases.url();
    stores = storesOn(await databases.open(url));
    other = storesOn(await databases.open(url));
  });

  /** A session of a new account, and the same name in the hands of another token of it. */
  async function twoTokens(): Promise<{ key: DialogueKey; foreign: DialogueKey }> {
    const account = await newAccount(stores);
    const [mine, theirs] = [await newToken(stores, account), await newToken(stores, account)];
    const session = newId();
    return { key: { tokenId: mine.token.id, session }, foreign: { tokenId: theirs.token.id, session } };
  }

  const asked = async (tokenId: string, expiresAt = noon + questionLifetimeMs): Promise<string> => {
    const id = newId();
    await stores.dialogues.pose(id, tokenId, expiresAt);
    return id;
  };

  const prune = async (now: number): Promise<void> => {
    for await (const _ of stores.prune.prune(now, defaultPlans));
  };

  describe("what a session set up", () => {
    it("[OUR-MCP-52] is what another process goes on with, and another token finds nothing of it", async () => {
      const { key, foreign } = await twoTokens();
      expect(await stores.dialogues.logLevel(key)).toBeNull();
      await stores.dialogues.setLogLevel(key, "warning", noon);
      for (const uri of ["b:2", "B:1", "a:3"])
        expect(await stores.dialogues.watch(key, marked(uri), noon)).toBe(true);
      await other.dialogues.setLogLevel(key, "debug", noon);
      await other.dialogues.unwatch(key, "b:2");
      for (const { dialogues } of [stores, other]) {
        expect(await dialogues.logLevel(key)).toBe("debug");
        expect(await dialogues.watched(key)).toEqual([marked("B:1"), marked("a:3")]);
        expect(await dialogues.logLevel(foreign)).toBeNull();
        expect(await dialogues.watched(foreign)).toEqual([]);
        expect(await dialogues.tell(foreign, "a:3", "m1", "m2")).toBe(false);
        await dialogues.unwatch(foreign, "a:3");
        await dialogues.keep(foreign, noon);
      }
      await other.dialogues.setLogLevel(foreign, "error", noon);
      expect(await stores.dialogues.logLevel(key)).toBe("debug");
      expect(await stores.dialogues.watched(key)).toEqual([marked("B:1"), marked("a:3")]);
    });

    it("[OUR-MCP-52] is watched up to the limit, however many of its requests reach two processes at once", async () => {
      const { key, foreign } = await twoTokens();
      const taken = await Promise.all(
        times(mostWatched + 10).map((index) =>
          (index % 2 === 0 ? stores : other).dialogues.watch(key, marked(uriOf(index)), noon),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(mostWatched);
      const watched = await stores.dialogues.watched(key);
      expect(watched.map(({ uri }) => uri)).toEqual(
        times(mostWatched + 10)
          .filter((index) => taken[index])
          .map(uriOf),
      );
      expect(await stores.dialogues.watch(foreign, marked(uriOf(99)), noon)).toBe(true);
      const first = watched[0]?.uri ?? "";
      expect(await stores.dialogues.watch(key, marked(first, "m2"), noon)).toBe(true);
      expect(await stores.dialogues.watched(key)).toEqual(watched);
      await stores.dialogues.unwatch(key, first);
      expect(await other.dialogues.watch(key, marked(uriOf(99)), noon)).toBe(true);
      expect(await other.dialogues.watch(key, marked(first), noon)).toBe(false);
    });

    it("[OUR-MCP-52] is watched once where the same is asked many times at once", async () => {
      const { key } = await twoTokens();
      const all = times(12).map((index) =>
        (index % 2 === 0 ? stores : other).dialogues.watch(key, marked(uriOf(1)), noon),
      );
      expect(await Promise.all(all)).toEqual(times(12).map(() => true));
      expect(await stores.dialogues.watched(key)).toEqual([marked(uriOf(1))]);
    });

    it("[OUR-MCP-52] is told of a change by one of the streams that see it", async () => {
      const { key } = await twoTokens();
      const uri = uriOf(1);
      await stores.dialogues.watch(key, marked(uri), noon);
      const told = await Promise.all(
        times(10).map((index) => (index % 2 === 0 ? stores : other).dialogues.tell(key, uri, "m1", "m2")),
      );
      expect(told.filter(Boolean)).toHaveLength(1);
      expect(await stores.dialogues.watched(key)).toEqual([marked(uri, "m2")]);
      expect(await stores.dialogues.tell(key, uriOf(2), "m1", "m2")).toBe(false);
    });

    it("[OUR-MCP-52] [OUR-STO-46] goes a week after its last use, all of it at once", async () => {
      const now = noon + 1000 * day;
      const used = now - keptMs.dialogueSession;
      const uses: [at: number, isKept: boolean, use: (key: DialogueKey, at: number) => Promise<unknown>][] = [
        [used - 1, false, (key, at) => stores.dialogues.keep(key, at)],
        [used, true, (key, at) => stores.dialogues.keep(key, at)],
        [used, true, (key, at) => stores.dialogues.watch(key, marked(uriOf(1)), at)],
        [used, true, (key, at) => stores.dialogues.watch(key, marked(uriOf(2)), at)],
        [used, true, (key, at) => stores.dialogues.setLogLevel(key, "info", at)],
      ];
      const sessions = await Promise.all(
        uses.map(async ([at, isKept, use]) => {
          const { key } = await twoTokens();
          await stores.dialogues.setLogLevel(key, "info", noon);
          await stores.dialogues.watch(key, marked(uriOf(1)), noon);
          await use(key, at);
          // A clock that is behind takes nothing away.
          await stores.dialogues.keep(key, noon);
          return { key, isKept };
        }),
      );
      await prune(now);
      for (const { key, isKept } of sessions) {
        expect(await stores.dialogues.logLevel(key)).toBe(isKept ? "info" : null);
        expect((await stores.dialogues.watched(key)).length > 0).toBe(isKept);
        expect((await holding(url, [key.session])).toSorted()).toEqual(
          isKept ? ["dialogue_session.session", "dialogue_watch.session"] : [],
        );
      }
    });

    it("[OUR-MCP-52] is not made by keeping it", async () => {
      const { key } = await twoTokens();
      await stores.dialogues.keep(key, noon);
      expect(await holding(url, [key.session])).toEqual([]);
    });
  });

  describe("a question that is open", () => {
    it("[OUR-MCP-52] is answered through another process, by its own token alone, until it is withdrawn", async () => {
      const { key, foreign } = await twoTokens();
      const id = await asked(key.tokenId);
      expect(await other.dialogues.answerTo(id)).toBeNull();
      expect(await other.dialogues.reply(id, foreign.tokenId, "theirs", noon)).toBe(false);
      expect(await stores.dialogues.answerTo(id)).toBeNull();
      expect(await other.dialogues.reply(id, key.tokenId, "mine", noon)).toBe(true);
      expect(await stores.dialogues.answerTo(id)).toBe("mine");
      await stores.dialogues.withdraw(id);
      expect(await other.dialogues.answerTo(id)).toBeNull();
      const open = await asked(key.tokenId);
      await stores.dialogues.withdraw(open);
      expect(await other.dialogues.reply(open, key.tokenId, "late", noon)).toBe(false);
      expect(await stores.dialogues.reply(newId(), key.tokenId, "to nothing", noon)).toBe(false);
    });

    it("[OUR-MCP-52] is answered once, however many answers come at once", async () => {
      const { key } = await twoTokens();
      const id = await asked(key.tokenId);
      const taken = await Promise.all(
        times(12).map((index) =>
          (index % 2 === 0 ? stores : other).dialogues.reply(id, key.tokenId, `answer ${index}`, noon),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await stores.dialogues.answerTo(id)).toBe(`answer ${taken.indexOf(true)}`);
      expect(await stores.dialogues.reply(id, key.tokenId, "again", noon)).toBe(false);
    });

    it("[OUR-MCP-52] cannot be answered from the instant it expires, and goes an hour later", async () => {
      const { key } = await twoTokens();
      const now = noon + 2000 * day;
      const [late, inTime] = [await asked(key.tokenId, now), await asked(key.tokenId, now)];
      expect(await stores.dialogues.reply(late, key.tokenId, "yes", now)).toBe(false);
      expect(await stores.dialogues.reply(inTime, key.tokenId, "yes", now - 1)).toBe(true);
      await prune(now + keptMs.dialogueQuestion);
      expect(await stores.dialogues.answerTo(inTime)).toBe("yes");
      expect(await holding(url, [late])).toEqual(["dialogue_question.id"]);
      await prune(now + keptMs.dialogueQuestion + 1);
      expect(await stores.dialogues.answerTo(inTime)).toBeNull();
      expect(await holding(url, [late, inTime])).toEqual([]);
    });
  });

  it("[OUR-MCP-52] [OUR-LEA-16] goes with its account, and what was watched of a server with the server", async () => {
    const [owner, watcher] = [await newAccount(stores), await newAccount(stores, { role: "admin" })];
    const { server } = await newServer(stores, owner);
    const tokens = [await newToken(stores, owner), await newToken(stores, watcher)] as const;
    const [gone, stays] = tokens.map(({ token }) => ({ tokenId: token.id, session: newId() })) as [
      DialogueKey,
      DialogueKey,
    ];
    const watched = marked(`tickmark://servers/${server.id}/status`);
    for (const key of [gone, stays]) {
      await stores.dialogues.watch(key, watched, noon);
      await stores.dialogues.watch(key, marked("tickmark://token"), noon);
    }
    const questions = [await asked(gone.tokenId), await asked(stays.tokenId)] as const;
    expect(await stores.leaving.removeAccount(owner.id, noon)).toBe(true);
    expect(await holding(url, [server.id, gone.tokenId, gone.session, questions[0]])).toEqual([]);
    expect(await stores.dialogues.watched(stays)).toEqual([marked("tickmark://token")]);
    expect(await stores.dialogues.reply(questions[1], stays.tokenId, "yes", noon)).toBe(true);
    // A call that was let in before the account went.
    expect(await stores.dialogues.watch(gone, watched, noon)).toBe(true);
  });
}, sharedKinds);
