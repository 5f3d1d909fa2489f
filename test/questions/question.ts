import type { AccountName } from "../../src/demo/server-spec.ts";

/**
 * A JSON pointer; a segment `[name=Old Mill]` is the first entry of a list that has this member, as who asks knows
 * a row by its name. Every plain value may be text, number, boolean or null.
 */
export type Pointer = string;

/** An argument as an agent knows it: from the question, or out of the first call's answer. */
export type Argument =
  | string
  | number
  | boolean
  | null
  | readonly Argument[]
  | { readonly from: Pointer }
  /** What a person filled into an argument of the prompt. */
  | { readonly prompted: string }
  /** A code that a plugin has just printed. */
  | { readonly printed: "link_code" };

export type Call =
  | { readonly tool: string; readonly args?: Readonly<Record<string, Argument>> }
  | { readonly resource: string };

/**
 * What stands at a pointer of an answer, the last one unless `of` says which: one value, the value that REST gives
 * an independent caller, a range, a part of its text, or that nothing stands there.
 */
export type Fact = { readonly at: Pointer; readonly of?: number } & (
  | { readonly is: string | number | boolean | null | readonly unknown[] }
  | { readonly rest: string; readonly member: Pointer }
  | { readonly least: number; readonly most: number }
  | { readonly has: string }
  | { readonly absent: true }
);

export interface Question {
  readonly asks: string;
  readonly account: AccountName;
  /** The prompt that a person chose from the client's menu, with text, or the one id that completes what was typed. */
  readonly prompt?: {
    readonly name: string;
    readonly args: Readonly<Record<string, string | { readonly typed: string }>>;
  };
  readonly calls: readonly Call[];
  readonly facts: readonly Fact[];
  /** What is true over REST once the calls were made: a path, a pointer, a value. */
  readonly after?: readonly {
    readonly rest: string;
    readonly member: Pointer;
    readonly is: string | number | boolean | null;
  }[];
  /** Texts no answer may hold; names of other accounts' servers never are in one. */
  readonly lacks?: readonly string[];
  /** True where the answer brings a picture beside its text. */
  readonly draws?: true;
}

export const listServers = { tool: "list_servers" } as const;

export const overview = { tool: "get_monitoring_overview" } as const;
