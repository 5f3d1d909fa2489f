import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Block } from "../result/block.ts";
import { quoted } from "../result/quoted.ts";
import type { Suggestions } from "./suggestions.ts";
import type { Tool } from "./tool.ts";

/** The longest value a prompt takes, characters. */
export const longestValue = 500;

/** One thing a person fills in before the conversation begins. */
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
  /** The calls a good answer needs, in order, with what is wanted of each. */
  readonly calls: readonly { readonly tool: Tool; readonly wants: string }[];
  /** The question, with what was filled in; an optional argument left out is null. */
  readonly asks: (filled: { readonly [K in Name]: string | null }) => string;
  /** How to answer it. */
  readonly answer: string;
}

/** A question an owner asks, with the way to its answer: offered by clients as a command. */
export interface Prompt<E extends Outline = Endpoint> {
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly arguments: readonly PromptArgument[];
  };
  readonly suggests: Readonly<Record<string, Suggestions<E>>>;
  /** What its calls need; a caller who may not make them all is not offered it. */
  readonly endpoints: readonly E[];
  /** What the conversation begins with. */
  readonly messages: (
    filled: Readonly<Record<string, string>>,
  ) => readonly Block[] | Promise<readonly Block[]>;
}

/** Declares a prompt; its cost is the number of its calls. */
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
    // Values are quoted as JSON, with nothing hidden in them: they are data, whatever they say.
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
