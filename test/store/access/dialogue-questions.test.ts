import { beforeAll, expect, it } from "vitest";
import { mostQuestions, questionLifetimeMs, type OpenQuestion } from "../../../src/core/access/dialogue.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { keptMs } from "../../../src/core/job/prune.ts";
import { storesOn } from "../../../src/services/stores.ts";
import { holding } from "../../scenarios/leaving-scene.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { day, newAccount, newId, newToken, noon, times, type Stores } from "../engine/rows.ts";

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

  /** Two tokens of a new account. */
  async function twoTokens(): Promise<[mine: string, theirs: string]> {
    const account = await newAccount(stores);
    return [(await newToken(stores, account)).token.id, (await newToken(stores, account)).token.id];
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
    expect(await stores.dialogues.pose(posed, noon)).toBe(true);
    return posed.id;
  }

  const prune = async (now: number): Promise<void> => {
    for await (const _ of stores.prune.prune(now, defaultPlans));
  };

  it("[OUR-MCP-52] a question is answered through another process, by its own token alone, until it is withdrawn", async () => {
    const [mine, theirs] = await twoTokens();
    const id = await asked(mine);
    expect(await other.dialogues.answerTo(id)).toBeNull();
    expect(await other.dialogues.reply(id, theirs, "theirs", noon)).toBe(false);
    expect(await stores.dialogues.answerTo(id)).toBeNull();
    expect(await other.dialogues.reply(id, mine, "mine", noon)).toBe(true);
    expect(await stores.dialogues.answerTo(id)).toBe("mine");
    await stores.dialogues.withdraw(id);
    expect(await other.dialogues.answerTo(id)).toBeNull();
    const open = await asked(mine);
    await stores.dialogues.withdraw(open);
    expect(await other.dialogues.reply(open, mine, "late", noon)).toBe(false);
    expect(await stores.dialogues.reply(newId(), mine, "to nothing", noon)).toBe(false);
  });

  it("[OUR-MCP-52] a question is answered once, however many answers come at once", async () => {
    const [mine] = await twoTokens();
    const id = await asked(mine);
    const taken = await Promise.all(
      times(12).map((index) =>
        (index % 2 === 0 ? stores : other).dialogues.reply(id, mine, `answer ${index}`, noon),
      ),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await stores.dialogues.answerTo(id)).toBe(`answer ${taken.indexOf(true)}`);
    expect(await stores.dialogues.reply(id, mine, "again", noon)).toBe(false);
  });

  it("[OUR-MCP-52] a question cannot be answered from the instant it expires, and goes an hour later", async () => {
    const [mine] = await twoTokens();
    const now = noon + 2000 * day;
    const [late, inTime] = [await asked(mine, { expiresAt: now }), await asked(mine, { expiresAt: now })];
    expect(await stores.dialogues.reply(late, mine, "yes", now)).toBe(false);
    expect(await stores.dialogues.reply(inTime, mine, "yes", now - 1)).toBe(true);
    await prune(now + keptMs.dialogueQuestion);
    expect(await stores.dialogues.answerTo(inTime)).toBe("yes");
    expect(await holding(url, [late])).toEqual(["dialogue_question.id"]);
    await prune(now + keptMs.dialogueQuestion + 1);
    expect(await stores.dialogues.answerTo(inTime)).toBeNull();
    expect(await holding(url, [late, inTime])).toEqual([]);
  });

  it("[OUR-MCP-52] a question is open with so many others of its token, however many are posed at once", async () => {
    const [mine, theirs] = await twoTokens();
    const all = times(mostQuestions + 7).map(() => question(mine));
    const posed = await Promise.all(
      all.map((each, index) => (index % 2 === 0 ? stores : other).dialogues.pose(each, noon)),
    );
    expect(posed.filter(Boolean)).toHaveLength(mostQuestions);
    for (const [index, { id }] of all.entries())
      expect((await holding(url, [id])).length > 0).toBe(posed[index]);
    expect(await stores.dialogues.pose(question(theirs), noon)).toBe(true);
  });

  it("[OUR-MCP-52] a question makes room for another when it is answered, withdrawn, given up or expires", async () => {
    const [mine] = await twoTokens();
    const next = () => other.dialogues.pose(question(mine), noon);
    const [answered, withdrawn] = [await asked(mine), await asked(mine)];
    await asked(mine, { call: "given up" });
    await asked(mine, { expiresAt: noon + 1 });
    await asked(mine);
    expect(await next()).toBe(false);
    await stores.dialogues.reply(answered, mine, "yes", noon);
    expect([await next(), await next()]).toEqual([true, false]);
    await stores.dialogues.withdraw(withdrawn);
    expect([await next(), await next()]).toEqual([true, false]);
    await stores.dialogues.giveUp(mine, "given up", "no");
    expect([await next(), await next()]).toEqual([true, false]);
    expect(await other.dialogues.pose(question(mine), noon + 1)).toBe(true);
    expect(await other.dialogues.pose(question(mine), noon + 1)).toBe(false);
  });

  it("[OUR-MCP-52] a question is given up with its call alone, by its own token, whatever was answered a moment before", async () => {
    const [mine, theirs] = await twoTokens();
    const call = newId();
    const [open, alsoOpen] = [await asked(mine, { call }), await asked(mine, { call })];
    const answered = await asked(mine, { call });
    const [elsewhere, foreign] = [await asked(mine), await asked(theirs, { call })];
    await stores.dialogues.reply(answered, mine, "yes", noon);
    await other.dialogues.giveUp(mine, call, "given up");
    const answers = await Promise.all(
      [open, alsoOpen, answered, elsewhere, foreign].map((id) => stores.dialogues.answerTo(id)),
    );
    expect(answers).toEqual(["given up", "given up", "given up", null, null]);
    expect(await stores.dialogues.reply(open, mine, "late", noon)).toBe(false);
  });

  it("[OUR-MCP-52] a question of a token that is gone hurts nobody", async () => {
    const id = await asked(newId());
    expect(await stores.dialogues.answerTo(id)).toBeNull();
  });
}, sharedKinds);
