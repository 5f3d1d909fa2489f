import type { Block } from "./block.ts";
import type { Person, Question } from "./person.ts";

/** When a person is asked before a tool's call is made, and in which words: constants, with ids and numbers alone. */
export interface Confirmation {
  /** The argument it depends on, with the values that are asked about; null: every call. */
  readonly when: { readonly argument: string; readonly is: readonly unknown[] | "above zero" } | null;
  /** A `{name}` stands for the argument of that name. */
  readonly words: string;
}

/** What comes of asking first: what else to show, or that the call is not to be made. */
export type Before = { readonly shows: readonly Block[] } | { readonly declined: true };

/** What a tool asks its caller's person before its call. */
export interface AsksFirst {
  /** As data; empty where it asks in a way of its own. */
  readonly confirmations: readonly Confirmation[];
  readonly before: (args: Readonly<Record<string, unknown>>, person: Person) => Promise<Before>;
}

/** Asks for consent where a call would publish or silence. */
const confirming = (confirmations: readonly Confirmation[]): AsksFirst => ({
  confirmations,
  before: async (args, person) => {
    const due = confirmations.find((confirmation) => applies(confirmation, args));
    if (!due) return { shows: [] };
    const { action } = await person.ask(consentTo(due, args));
    return action === "accept" ? { shows: [] } : { declined: true };
  },
});

/** Null where there is nothing to ask. */
export const asksOf = (confirmations: readonly Confirmation[]): AsksFirst | null =>
  confirmations.length === 0 ? null : confirming(confirmations);

function applies({ when }: Confirmation, args: Readonly<Record<string, unknown>>): boolean {
  if (when === null) return true;
  const value = args[when.argument];
  return when.is === "above zero" ? typeof value === "number" && value > 0 : when.is.includes(value);
}

const consentTo = ({ words }: Confirmation, args: Readonly<Record<string, unknown>>): Question => ({
  key: "consent",
  message: words.replace(/\{(\w+)\}/g, (_, name: string) => plain(args[name])),
  schema: { type: "object", properties: {} },
  sealed: true,
});

/** Arguments may be what an injected text asked for: only what cannot be a sentence is repeated. */
function plain(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && /^[0-9A-Za-z_-]{1,64}$/.test(value) ? value : "(unreadable)";
}
