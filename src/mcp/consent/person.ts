import { isJsonObject } from "../../contract/endpoint/json-body.ts";

/** A question to a person, as an elicitation form of the protocol. */
export interface ConfirmationQuestion {
  /** Its name among the questions of one call. */
  readonly key: string;
  readonly message: string;
  /** A flat object of plain fields; without any, the answer is yes or no. */
  readonly schema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  /** True where an answer counts only for the call that asked. */
  readonly sealed: boolean;
}

export type ConfirmationAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" }
  /** No answer; `givenUp`: the client cancelled the call that asked. */
  | { readonly action: "cancel"; readonly givenUp?: true };

/** The reply of a client that cancelled the call that asked. */
export const givenUp = { action: "cancel", given_up: true } as const;

/** The person at the client, as far as the client can ask one. */
export interface ConfirmingPerson {
  /** A person who does not answer has cancelled. */
  ask(question: ConfirmationQuestion): Promise<ConfirmationAnswer>;
}

/** The request that puts a question to a client. */
export const questionRequest = ({ message, schema }: ConfirmationQuestion) => ({
  method: "elicitation/create",
  params: { message, requestedSchema: schema },
});

/** What a client says its person answered; null for what is no answer to that question. */
export function readReply(answer: unknown, { schema }: ConfirmationQuestion): ConfirmationAnswer | null {
  if (!isJsonObject(answer)) return null;
  const { action, content = {} } = answer;
  if (action === "cancel") return answer["given_up"] === true ? { action, givenUp: true } : { action };
  if (action === "decline") return { action };
  if (action !== "accept" || !isJsonObject(content)) return null;
  const isWhole = (schema.required ?? []).every((name) => content[name] !== undefined);
  return isWhole ? { action, content } : null;
}

/** Whether a client that declares these capabilities can show its person a form. */
export function canAsk(capabilities: unknown): boolean {
  const elicits = isJsonObject(capabilities) ? capabilities["elicitation"] : undefined;
  // Before there was another way to ask, the empty object meant a form.
  return isJsonObject(elicits) && ("form" in elicits || Object.keys(elicits).length === 0);
}
