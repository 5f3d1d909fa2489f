import {
  poseQuestion,
  giveUpQuestions,
  answerQuestion,
  selectAnswer,
  deleteQuestion,
} from "../../../src/store/access/dialogues.ts";

import { pruneAll } from "../../../src/services/job/prune.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { beforeAll, expect, it } from "vitest";
import { mostQuestions, questionLifetimeMs, type OpenQuestion } from "../../../src/core/access/dialogue.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import { holding } from "../../scenarios/leaving-scene.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { day, newAccount, newId, newToken, noon, times } from "../engine/rows.ts";

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

  /** Two tokens of a new account. */
  async function twoTokens(): Promise<[mine: string, theirs: string]> {
    const account = await newAccount(db);
    return [(await newToken(db, account)).token.id, (await newToken(db, account)).token.id];
  }

  const question = (tokenId: string, changes: Partial<OpenQuestion> = {}): OpenQuestion => ({
    id: newId(),
    tokenId,
    call: newId(),
    expiresAt: noon + questionLifetimeMs,
    ...changes,
  });

  async function asked(tokenId: string, changes: Partial<OpenQuestion> = {}): Promise<string> {
    const posed = question(tokenId, changes);
    expect(await db.write(poseQuestion, posed, noon)).toBe(true);
    return posed.id;
  }

  const prune = async (now: number): Promise<void> => {
    for await (const _ of pruneAll(db, now, defaultPlans));
  };

  it("[OUR-MCP-52] a question is answered through another process, by its own token alone, until it is withdrawn", async () => {
    const [mine, theirs] = await twoTokens();
    const id = await asked(mine);
    expect(await other.read(selectAnswer, id)).toBeNull();
    expect(await other.write(answerQuestion, id, theirs, "theirs", noon)).toBe(false);
    expect(await db.read(selectAnswer, id)).toBeNull();
    expect(await other.write(answerQuestion, id, mine, "mine", noon)).toBe(true);
    expect(await db.read(selectAnswer, id)).toBe("mine");
    await db.write(deleteQuestion, id);
    expect(await other.read(selectAnswer, id)).toBeNull();
    const open = await asked(mine);
    await db.write(deleteQuestion, open);
    expect(await other.write(answerQuestion, open, mine, "late", noon)).toBe(false);
    expect(await db.write(answerQuestion, newId(), mine, "to nothing", noon)).toBe(false);
  });

  it("[OUR-MCP-52] a question is answered once, however many answers come at once", async () => {
    const [mine] = await twoTokens();
    const id = await asked(mine);
    const taken = await Promise.all(
      times(12).map((index) =>
        (index % 2 === 0 ? db : other).write(answerQuestion, id, mine, `answer ${index}`, noon),
      ),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await db.read(selectAnswer, id)).toBe(`answer ${taken.indexOf(true)}`);
    expect(await db.write(answerQuestion, id, mine, "again", noon)).toBe(false);
  });

  it("[OUR-MCP-52] a question cannot be answered from the instant it expires, and goes an hour later", async () => {
    const [mine] = await twoTokens();
    const now = noon + 2000 * day;
    const [late, inTime] = [await asked(mine, { expiresAt: now }), await asked(mine, { expiresAt: now })];
    expect(await db.write(answerQuestion, late, mine, "yes", now)).toBe(false);
    expect(await db.write(answerQuestion, inTime, mine, "yes", now - 1)).toBe(true);
    await prune(now + keptMs.dialogueQuestion);
    expect(await db.read(selectAnswer, inTime)).toBe("yes");
    expect(await holding(url, [late])).toEqual(["dialogue_question.id"]);
    await prune(now + keptMs.dialogueQuestion + 1);
    expect(await db.read(selectAnswer, inTime)).toBeNull();
    expect(await holding(url, [late, inTime])).toEqual([]);
  });

  it("[OUR-MCP-52] a question is open with so many others of its token, however many are posed at once", async () => {
    const [mine, theirs] = await twoTokens();
    const all = times(mostQuestions + 7).map(() => question(mine));
    const posed = await Promise.all(
      all.map((each, index) => (index % 2 === 0 ? db : other).write(poseQuestion, each, noon)),
    );
    expect(posed.filter(Boolean)).toHaveLength(mostQuestions);
    for (const [index, { id }] of all.entries())
      expect((await holding(url, [id])).length > 0).toBe(posed[index]);
    expect(await db.write(poseQuestion, question(theirs), noon)).toBe(true);
  });

  it("[OUR-MCP-52] a question makes room for another when it is answered, withdrawn, given up or expires", async () => {
    const [mine] = await twoTokens();
    const next = () => other.write(poseQuestion, question(mine), noon);
    const [answered, withdrawn] = [await asked(mine), await asked(mine)];
    await asked(mine, { call: "given up" });
    await asked(mine, { expiresAt: noon + 1 });
    await asked(mine);
    expect(await next()).toBe(false);
    await db.write(answerQuestion, answered, mine, "yes", noon);
    expect([await next(), await next()]).toEqual([true, false]);
    await db.write(deleteQuestion, withdrawn);
    expect([await next(), await next()]).toEqual([true, false]);
    await db.write(giveUpQuestions, mine, "given up", "no");
    expect([await next(), await next()]).toEqual([true, false]);
    expect(await other.write(poseQuestion, question(mine), noon + 1)).toBe(true);
    expect(await other.write(poseQuestion, question(mine), noon + 1)).toBe(false);
  });

  it("[OUR-MCP-52] a question is given up with its call alone, by its own token, whatever was answered a moment before", async () => {
    const [mine, theirs] = await twoTokens();
    const call = newId();
    const [open, alsoOpen] = [await asked(mine, { call }), await asked(mine, { call })];
    const answered = await asked(mine, { call });
    const [elsewhere, foreign] = [await asked(mine), await asked(theirs, { call })];
    await db.write(answerQuestion, answered, mine, "yes", noon);
    await other.write(giveUpQuestions, mine, call, "given up");
    const answers = await Promise.all(
      [open, alsoOpen, answered, elsewhere, foreign].map((id) => db.read(selectAnswer, id)),
    );
    expect(answers).toEqual(["given up", "given up", "given up", null, null]);
    expect(await db.write(answerQuestion, open, mine, "late", noon)).toBe(false);
  });

  it("[OUR-MCP-52] a question of a token that is gone hurts nobody", async () => {
    const id = await asked(newId());
    expect(await db.read(selectAnswer, id)).toBeNull();
  });
}, sharedKinds);
