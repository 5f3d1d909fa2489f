import { randomBytes } from "node:crypto";
import { sealer } from "../../contract/access/sealed.ts";
import { questionLifetimeMs, type LogLevel } from "../../core/access/dialogue.ts";
import { leastAsked, logFrom } from "../protocol/client-log.ts";
import type { Exchange } from "../methods/request.ts";
import { personInRounds } from "../consent/input-rounds.ts";
import { isGivenUp, isReply, type Era, type Request } from "../protocol/message.ts";
import {
  canAsk,
  givenUp,
  questionRequest,
  readSaid,
  type Person,
  type Question,
  type Said,
} from "../consent/person.ts";

/** The one client of a connector over stdio: what it told of itself, and the questions it has not answered yet. */
export interface StdioClient {
  /** Gives an exchange what this client can do beside reading its answer. */
  equip(exchange: Exchange, request: Request, era: Era): void;
  /** A reply to one of our questions, or word that a call is given up; nothing for what is neither. */
  take(news: unknown): void;
  /** Nobody answers any more. */
  leave(): void;
}

export function stdioClient(write: (message: object) => void): StdioClient {
  const open = new Map<string, (answer: unknown) => void>();
  const calls = new Map<Request["id"], string>();
  // Of this process alone: a client that starts another one begins its calls anew.
  const seals = sealer([randomBytes(32).toString("hex")], "connector dialogues");
  let asks = false;
  let least: LogLevel | null = null;
  let isGone = false;
  // The client says that it can ask, and nobody is there.
  let isUnanswered = false;

  const answerTo = (id: string, question: Question): Promise<unknown> =>
    new Promise<unknown>((resolve) => {
      const over = setTimeout(() => settle(id, undefined), questionLifetimeMs);
      over.unref();
      open.set(id, (answer) => {
        clearTimeout(over);
        resolve(answer);
      });
      write({ jsonrpc: "2.0", id, ...questionRequest(question) });
    });

  /** The person, while a call of that id waits for them. */
  const personFor = (call: Request["id"]): Person => ({
    ask: async (question) => {
      if (isGone || isUnanswered) return { action: "cancel" };
      const id = `question-${randomBytes(12).toString("base64url")}`;
      calls.set(call, id);
      const answer = await answerTo(id, question).finally(() => calls.delete(call));
      const said: Said = readSaid(answer, question) ?? { action: "cancel" };
      if (said.action === "cancel" && !said.givenUp && !isGone) isUnanswered = true;
      return said;
    },
  });

  const settle = (id: string, answer: unknown): void => {
    open.get(id)?.(answer);
    open.delete(id);
  };

  return {
    equip: (exchange, { id, method, params = {} }, era) => {
      if (era.name === "modern") {
        exchange.log = logFrom(leastAsked(params), write);
        exchange.person = personInRounds({
          method,
          params,
          sealer: seals,
          holder: async () => "stdio",
          now: Date.now,
        });
        return;
      }
      if (method === "initialize") asks = canAsk(params["capabilities"]);
      exchange.person = asks ? personFor(id) : null;
      exchange.log = logFrom(least, write);
      exchange.session = {
        setLogLevel: async (level) => void (least = level),
        watch: null,
        unwatch: null,
      };
    },
    take: (news) => {
      if (isReply(news)) settle(news.id, news.result);
      else if (isGivenUp(news)) settle(calls.get(news.params.requestId) ?? "", givenUp);
    },
    leave: () => {
      isGone = true;
      for (const id of open.keys()) settle(id, undefined);
    },
  };
}
