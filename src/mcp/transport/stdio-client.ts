import { randomBytes } from "node:crypto";
import { sealer } from "../../app/access/sealed.ts";
import { questionLifetimeMs, type LogLevel } from "../../core/access/dialogue.ts";
import { requestedLevel, logFrom } from "../protocol/client-log.ts";
import type { ClientAbilities } from "../methods/request.ts";
import { personInRounds } from "../consent/input-rounds.ts";
import { isGivenUp, isReply, type Era, type Request } from "../protocol/message.ts";
import {
  canAsk,
  givenUp,
  questionRequest,
  readReply,
  type ConfirmingPerson,
  type ConfirmationQuestion,
  type ConfirmationAnswer,
} from "../consent/person.ts";

/** The one client of a connector over stdio: its capabilities, and the questions it has not answered yet. */
export interface StdioClient {
  abilities(request: Request, era: Era): Omit<ClientAbilities, "notify">;
  /** Handles a reply to a question, or the cancellation of a call; ignores any other message. */
  handle(message: unknown): void;
  /** Cancels the open questions of a client that is gone. */
  leave(): void;
}

export function stdioClient(write: (message: object) => void): StdioClient {
  const open = new Map<string, (answer: unknown) => void>();
  const calls = new Map<Request["id"], string>();
  // The key lives as long as this process: with another process the client starts its calls anew.
  const seals = sealer([randomBytes(32).toString("hex")], "connector dialogues");
  let asks = false;
  let least: LogLevel | null = null;
  let isGone = false;
  // A question stayed unanswered, so no further one is asked.
  let isUnanswered = false;

  const answerTo = (id: string, question: ConfirmationQuestion): Promise<unknown> =>
    new Promise<unknown>((resolve) => {
      const over = setTimeout(() => settle(id, undefined), questionLifetimeMs);
      over.unref();
      open.set(id, (answer) => {
        clearTimeout(over);
        resolve(answer);
      });
      write({ jsonrpc: "2.0", id, ...questionRequest(question) });
    });

  const personFor = (call: Request["id"]): ConfirmingPerson => ({
    ask: async (question) => {
      if (isGone || isUnanswered) return { action: "cancel" };
      const id = `question-${randomBytes(12).toString("base64url")}`;
      calls.set(call, id);
      const answer = await answerTo(id, question).finally(() => calls.delete(call));
      const reply: ConfirmationAnswer = readReply(answer, question) ?? { action: "cancel" };
      if (reply.action === "cancel" && !reply.givenUp && !isGone) isUnanswered = true;
      return reply;
    },
  });

  const settle = (id: string, answer: unknown): void => {
    open.get(id)?.(answer);
    open.delete(id);
  };

  return {
    abilities: ({ id, method, params = {} }, era) => {
      if (era.name === "modern")
        return {
          session: null,
          log: logFrom(requestedLevel(params), write),
          person: personInRounds({
            method,
            params,
            sealer: seals,
            holder: async () => "stdio",
            now: Date.now,
          }),
        };
      if (method === "initialize") asks = canAsk(params["capabilities"]);
      return {
        session: { setLogLevel: async (level) => void (least = level), watch: null, unwatch: null },
        log: logFrom(least, write),
        person: asks ? personFor(id) : null,
      };
    },
    handle: (notification) => {
      if (isReply(notification)) settle(notification.id, notification.result);
      else if (isGivenUp(notification)) settle(calls.get(notification.params.requestId) ?? "", givenUp);
    },
    leave: () => {
      isGone = true;
      for (const id of open.keys()) settle(id, undefined);
    },
  };
}
