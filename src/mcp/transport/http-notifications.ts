import { giveUpQuestions, answerQuestion } from "../../store/access/dialogues.ts";
import type { McpRequest } from "../methods/request.ts";
import { callName, tokenIdOf, type Dialogues, type Speaker } from "./http-client.ts";
import { givenUp } from "../consent/person.ts";
import type { ClientNews } from "../protocol/routing.ts";
import { toWire } from "../result/wire.ts";

/** Records a client's replies to questions, and cancels the questions of calls that it cancelled. */
export async function handleNotifications(
  notifications: readonly ClientNews[],
  context: McpRequest,
  speaker: Speaker | null,
  { db, clock }: Dialogues,
): Promise<void> {
  for (const one of notifications) {
    const tokenId = await tokenIdOf(context);
    if ("method" in one) {
      if (speaker === null) continue;
      await db.write(
        giveUpQuestions,
        tokenId,
        callName(speaker.session, one.params.requestId),
        toWire(givenUp),
      );
    } else {
      const answered = toWire(one.result ?? unanswered);
      const isReadable = questionId.test(one.id) && answered.length <= longestReply;
      if (isReadable) await db.write(answerQuestion, one.id, tokenId, answered, clock());
    }
  }
}

const unanswered = { action: "cancel" };
/** The form of our question ids. */
const questionId = /^[\w-]{32}$/;
/** Characters; a form has few fields. */
const longestReply = 16_384;
