import { randomBytes } from "node:crypto";
import { sealer } from "../contract/sealed.ts";
import type { LogLevel } from "../core/access/dialogue.ts";
import { isJsonObject } from "../contract/json-body.ts";
import { isLogLevel, isWanted, logMessage } from "./client-log.ts";
import type { Exchange } from "./exchange.ts";
import { personInRounds } from "./input-rounds.ts";
import type { ClientReply, Era, Request } from "./message.ts";
import { canAsk, questionRequest, readSaid, type Person } from "./person.ts";
import { metaKey } from "./protocol.ts";

/** The one client of a connector over stdio: what it told of itself, and the questions it has not answered yet. */
export interface StdioClient {
  /** Gives an exchange what this client can do beside reading its answer. */
  equip(exchange: Exchange, request: Request, era: Era): void;
  /** A reply to one of our questions; nothing for what is none. */
  take(reply: ClientReply): void;
  /** Nobody answers any more. */
  leave(): void;
}

export function stdioClient(write: (message: object) => void): StdioClient {
  const open = new Map<string, (answer: unknown) => void>();
  // Of this process alone: a client that starts another one begins its calls anew.
  const seals = sealer([randomBytes(32).toString("hex")], "connector dialogues");
  let asks = false;
  let least: LogLevel | null = null;
  let isGone = false;

  const person: Person = {
    ask: async (question) => {
      if (isGone) return { action: "cancel" };
      const id = `question-${randomBytes(12).toString("base64url")}`;
      const answer = await new Promise<unknown>((resolve) => {
        open.set(id, resolve);
        write({ jsonrpc: "2.0", id, ...questionRequest(question) });
      });
      return readSaid(answer, question) ?? { action: "cancel" };
    },
  };

  const logging = (from: LogLevel | null): Exchange["log"] =>
    from === null
      ? null
      : async (level, data) => {
          if (isWanted(level, from)) write(logMessage(level, data));
        };

  return {
    equip: (exchange, { method, params = {} }, era) => {
      if (era.name === "modern") {
        const meta = params["_meta"];
        const asked = isJsonObject(meta) ? meta[metaKey.logLevel] : undefined;
        exchange.log = logging(isLogLevel(asked) ? asked : null);
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
      exchange.person = asks ? person : null;
      exchange.log = logging(least);
      exchange.session = {
        setLogLevel: async (level) => void (least = level),
        watch: null,
        unwatch: null,
      };
    },
    take: ({ id, result }) => {
      open.get(id)?.(result);
      open.delete(id);
    },
    leave: () => {
      isGone = true;
      for (const answer of open.values()) answer(undefined);
      open.clear();
    },
  };
}
