import { giveUpQuestions, answerQuestion } from "../../store/access/dialogues.ts";
import type { McpRequest } from "../methods/request.ts";
import { callName, tokenIdOf, type Dialogues, type Speaker } from "./http-client.ts";
import { givenUp } from "../consent/person.ts";
import type { ClientNews } from "../protocol/routing.ts";
import { toWire } from "../result/wire.ts";

/** What a client tells of questions to its person, and of calls that it gives up: then nobody is asked any more. */
export async function handleNotifications(
  news: readonly ClientNews[],
  exchange: McpRequest,
  speaker: Speaker | null,
  { db, clock }: Dialogues,
): Promise<void> {
  for (const one of news) {
    const tokenId = await tokenIdOf(exchange);
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

/** As a person's client says that no answer comes. */
const unanswered = { action: "cancel" };
/** As questions are named here. */
const questionId = /^[\w-]{32}$/;
/** A form's answer is a few fields; characters. */
const longestReply = 16_384;
