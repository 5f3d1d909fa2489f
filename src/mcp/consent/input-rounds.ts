import { createHash } from "node:crypto";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Sealer } from "../../app/access/sealed.ts";
import { questionLifetimeMs } from "../../core/access/dialogue.ts";
import type { Params } from "../methods/request.ts";
import {
  canAsk,
  questionRequest,
  readReply,
  type ConfirmingPerson,
  type ConfirmationQuestion,
  type ConfirmationAnswer,
} from "./person.ts";
import { metaKey } from "../protocol/revisions.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";

/*
 * From revision 2026-07-28 on a question is the answer to a call: the client asks its person and sends the
 * same request again with the reply. Nothing is stored meanwhile; the client carries the sealed state.
 */

/** Thrown if a person must answer before the call can go on. */
export class InputRequired extends Error {
  readonly result: Readonly<Record<string, unknown>>;
  constructor(question: ConfirmationQuestion, requestState: string | null) {
    super("A person has to be asked first.");
    this.name = "InputRequired";
    this.result = {
      inputRequests: { [question.key]: questionRequest(question) },
      ...(requestState !== null && { requestState }),
    };
  }
}

/** The sealed state of a call's earlier rounds. */
interface Carried {
  /** `questionMark` of the last question; empty once it is answered. */
  readonly question: string;
  readonly answers: Readonly<Record<string, ConfirmationAnswer>>;
  readonly until: number;
}

export interface Rounds {
  readonly method: string;
  readonly params: Params;
  readonly sealer: Sealer;
  /** The caller; state of another caller is refused. */
  readonly holder: () => Promise<string>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The person at a client of revision 2026-07-28; null if the client cannot ask. */
export function personInRounds({ method, params, sealer, holder, now }: Rounds): ConfirmingPerson | null {
  const { inputResponses: sent, requestState: state, _meta: meta } = params;
  if (!isJsonObject(meta) || !canAsk(meta[metaKey.clientCapabilities])) return null;
  let carried: Carried | null = null;
  return {
    ask: async (question) => {
      if (sent !== undefined && !isJsonObject(sent))
        throw invalid("inputResponses must be an object of answers");
      const binding = `${await holder()}\n${digestOf(method, params)}`;
      if (state !== undefined) carried ??= opened(sealer, state, binding, now());
      const known = carried?.answers[question.key];
      if (known) return known;
      const answer = sent !== undefined && Object.hasOwn(sent, question.key) ? sent[question.key] : undefined;
      const isOfThisCall = !question.sealed || carried?.question === questionMark(question);
      if (answer !== undefined && isOfThisCall) {
        const reply = readReply(answer, question);
        if (reply === null) throw invalid("An answer in inputResponses does not fit its question");
        carried = {
          question: "",
          until: now() + questionLifetimeMs,
          answers: { ...carried?.answers, [question.key]: reply },
        };
        return reply;
      }
      const reply = carried?.answers ?? {};
      if (!question.sealed && Object.keys(reply).length === 0) throw new InputRequired(question, null);
      const next: Carried = {
        question: questionMark(question),
        answers: reply,
        until: now() + questionLifetimeMs,
      };
      throw new InputRequired(question, sealer.seal(JSON.stringify(next), binding));
    },
  };
}

/** Identifies a question by its exact words, because the names in it may change between two rounds. */
const questionMark = ({ key, message }: ConfirmationQuestion): string =>
  `${key} ${createHash("sha256").update(message).digest("base64url")}`;

const invalid = (message: string): RpcError => new RpcError(rpcCode.invalidParams, message);

/** Null if the state has expired: the question is asked again. Throws for state that is not of this call. */
function opened(sealer: Sealer, state: unknown, binding: string, now: number): Carried | null {
  const plain = typeof state === "string" ? sealer.open(state, binding) : null;
  if (plain === null)
    throw invalid(
      "requestState is not the one that this service sent for this call; leave it out to start the call again",
    );
  // Sound: only this file seals.
  const carried = JSON.parse(plain) as Carried;
  return carried.until < now ? null : carried;
}

const digestOf = (method: string, { name, uri, arguments: args }: Params): string =>
  createHash("sha256")
    .update(JSON.stringify([method, name, uri, args]))
    .digest("hex");
