import type { NamedKind } from "../../contract/endpoint/find-named.ts";
import { isFullId, isShortId } from "../../core/id-form.ts";
import { nameCap } from "../../core/text/escape-plan.ts";
import type { ConfirmingPerson, ConfirmationQuestion, ConfirmationAnswer } from "./person.ts";
import { quoted } from "../result/quoted.ts";

/** Null if no name is known. */
export type NameOf = (kind: NamedKind, id: string) => Promise<string | null>;

/** The question is made of constant sentences; only ids, numbers and quoted names are filled in. */
export interface Confirmation {
  /** The argument that decides, with the values that need consent; null: every call needs it. */
  readonly when: { readonly argument: string; readonly is: readonly unknown[] | "above zero" } | null;
  /** A `{name}` stands for the argument of that name. */
  readonly words: string;
}

export interface AsksFirst {
  /** Plain data, for the connector over stdio. */
  readonly confirmations: readonly Confirmation[];
  /** Null if these arguments need no consent. Otherwise the call is made only after `accept`. */
  readonly ask: (
    args: Readonly<Record<string, unknown>>,
    person: ConfirmingPerson,
    nameOf: NameOf,
  ) => Promise<ConfirmationAnswer | null>;
}

/** Null where there is nothing to ask. */
export const asksOf = (confirmations: readonly Confirmation[]): AsksFirst | null =>
  confirmations.length === 0 ? null : confirming(confirmations);

const confirming = (confirmations: readonly Confirmation[]): AsksFirst => ({
  confirmations,
  ask: async (args, person, nameOf) => {
    const due = confirmations.filter((confirmation) => applies(confirmation, args));
    return due.length === 0 ? null : person.ask(consentTo(due, args, await namesIn(due, args, nameOf)));
  },
});

function applies({ when }: Confirmation, args: Readonly<Record<string, unknown>>): boolean {
  if (when === null) return true;
  const value = args[when.argument];
  return when.is === "above zero" ? typeof value === "number" && value > 0 : when.is.includes(value);
}

/** Arguments that are ids of named resources. */
const kinds: Readonly<Record<string, NamedKind>> = {
  server_id: "server",
  rule_id: "alert_rule",
  alert_id: "alert",
};

/** Quoted names for the ids in the sentences, by argument. */
async function namesIn(
  due: readonly Confirmation[],
  args: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [argument, kind] of Object.entries(kinds)) {
    const id = args[argument];
    const isSpokenOf = due.some(({ words }) => words.includes(`{${argument}}`));
    if (!isSpokenOf || typeof id !== "string" || !isFullId(id)) continue;
    const name = await nameOf(kind, id);
    if (name !== null) names.set(argument, quoted(name, nameCap));
  }
  return names;
}

function consentTo(
  due: readonly Confirmation[],
  args: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): ConfirmationQuestion {
  const named = due.flatMap(({ when }) => (when === null || when.is === "above zero" ? [] : when.is));
  const sentences = due.map(({ words }) =>
    words.replace(/\{(\w+)\}/g, (_, argument: string) => {
      const value = plain(args[argument], named);
      const name = names.get(argument);
      return name === undefined ? value : `${name} (${value})`;
    }),
  );
  return {
    key: "consent",
    message: sentences.join(" "),
    schema: { type: "object", properties: {} },
    sealed: true,
  };
}

/** Only ids, numbers and listed values are shown, because arguments may come from an injected text. */
function plain(value: unknown, named: readonly unknown[]): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return unreadable;
  return isFullId(value) || isShortId(value) || named.includes(value) ? value : unreadable;
}

const unreadable = "(unreadable)";
