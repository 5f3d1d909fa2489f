import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Block } from "../result/block.ts";
import { quoted } from "../result/quoted.ts";
import type { Suggestions } from "./suggestions.ts";
import type { Tool } from "./tool.ts";

/** The longest argument of a prompt, characters. */
export const longestValue = 500;

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface PromptWords<Name extends string> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly takes: {
    readonly [K in Name]: {
      readonly description: string;
      readonly optional?: true;
      readonly suggests?: Suggestions;
    };
  };
  /** The calls that a good answer needs, in order; `wants` says what each call is for. */
  readonly calls: readonly { readonly tool: Tool; readonly wants: string }[];
  /** The question, with the filled-in values; an optional argument that was left out is null. */
  readonly asks: (filled: { readonly [K in Name]: string | null }) => string;
  /** Instructions for the answer. */
  readonly answer: string;
}

/** A typical question of an owner with the calls that answer it; clients offer it as a command. */
export interface Prompt<E extends Outline = Endpoint> {
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly arguments: readonly PromptArgument[];
  };
  readonly suggests: Readonly<Record<string, Suggestions<E>>>;
  /** The endpoints of its calls; a caller who may not make them all is not offered the prompt. */
  readonly endpoints: readonly E[];
  readonly messages: (
    filled: Readonly<Record<string, string>>,
  ) => readonly Block[] | Promise<readonly Block[]>;
}

export function prompt<const Name extends string>(words: PromptWords<Name>): Prompt {
  const { name, title, description, takes, calls, asks, answer } = words;
  const names = Object.keys(takes) as Name[];
  const cost = calls.length === 1 ? "one call" : `${calls.length} calls`;
  return {
    definition: Object.freeze({
      name,
      title,
      description: `${description} Costs ${cost}.`,
      arguments: names.map((argument) => ({
        name: argument,
        description: takes[argument].description,
        required: takes[argument].optional !== true,
      })),
    }),
    suggests: Object.fromEntries(
      names.flatMap((argument) => {
        const { suggests } = takes[argument];
        return suggests ? [[argument, suggests]] : [];
      }),
    ),
    endpoints: calls.map(({ tool }) => tool.view.endpoint),
    // Values are data: they are quoted as JSON, with hidden characters made visible.
    messages: (filled) => {
      const given = Object.fromEntries(
        names.map((argument) => {
          const value = filled[argument];
          return [argument, value === undefined || value === "" ? null : quoted(value, longestValue)];
        }),
      ) as { [K in Name]: string | null };
      const steps = calls.map(({ tool, wants }, at) => `${at + 1}. ${tool.name}: ${wants}`);
      const text = [asks(given), `Calls, in this order (${cost} of the day):`, ...steps, answer].join("\n");
      return [{ type: "text", text }];
    },
  };
}
