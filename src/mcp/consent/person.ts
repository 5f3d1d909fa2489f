import { isJsonObject } from "../../contract/endpoint/json-body.ts";

/** A question to a person, as an elicitation form of the protocol. */
export interface ConfirmationQuestion {
  /** Unique among the questions of one call. */
  readonly key: string;
  readonly message: string;
  /** A flat object of plain fields; without any, the answer is yes or no. */
  readonly schema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  /** True if an answer counts only for the call that asked. */
  readonly sealed: boolean;
}

export type ConfirmationAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" }
  /** No answer; `givenUp`: the client cancelled the call that asked. */
  | { readonly action: "cancel"; readonly givenUp?: true };

export const givenUp = { action: "cancel", given_up: true } as const;

export interface ConfirmingPerson {
  /** No answer counts as `cancel`. */
  ask(question: ConfirmationQuestion): Promise<ConfirmationAnswer>;
}

export const questionRequest = ({ message, schema }: ConfirmationQuestion) => ({
  method: "elicitation/create",
  params: { message, requestedSchema: schema },
});

/** Null if the client's reply does not fit the question. */
export function readReply(answer: unknown, { schema }: ConfirmationQuestion): ConfirmationAnswer | null {
  if (!isJsonObject(answer)) return null;
  const { action, content = {} } = answer;
  if (action === "cancel") return answer["given_up"] === true ? { action, givenUp: true } : { action };
  if (action === "decline") return { action };
  if (action !== "accept" || !isJsonObject(content)) return null;
  const isWhole = (schema.required ?? []).every((name) => content[name] !== undefined);
  return isWhole ? { action, content } : null;
}

/** Whether a client with these capabilities can show a form to its person. */
export function canAsk(capabilities: unknown): boolean {
  const elicits = isJsonObject(capabilities) ? capabilities["elicitation"] : undefined;
  // Before the protocol had another way to ask, an empty object meant a form.
  return isJsonObject(elicits) && ("form" in elicits || Object.keys(elicits).length === 0);
}
