import type { Outline, OutlineField } from "../../contract/endpoint/outline.ts";
import type { Spot } from "../../core/text/third-party-spots.ts";
import type { Drawing } from "../result/chart/drawing.ts";
import type { Confirmation } from "../consent/confirmation.ts";
import type { Prompt } from "./prompt.ts";
import type { Suggestions } from "./suggestions.ts";
import type { Tool } from "./tool.ts";
import type { View } from "../result/view.ts";

/*
 * The catalogue as plain data, written when the project is built: all that follows from the endpoints' schemas, so
 * that the connector over stdio starts without a schema and without the library that reads one.
 */

export interface FrozenCatalogue {
  readonly version: string;
  /** What each plan includes. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly endpoints: Readonly<Record<string, FrozenEndpoint>>;
  readonly tools: readonly FrozenTool[];
  readonly resources: readonly FrozenResource[];
  readonly prompts: readonly FrozenPrompt[];
}

export interface FrozenEndpoint {
  readonly outline: Omit<Outline, "fields"> & { readonly fields: readonly OutlineField[] };
  readonly paths: readonly string[];
  /** Null where no text of others can stand. */
  readonly root: FrozenSpot | null;
}

export type FrozenSpot = Pick<Spot, "cap" | "inRow" | "isText" | "json"> & {
  readonly items?: FrozenSpot;
  readonly members?: FrozenSpot;
  readonly keys?: FrozenSpot;
  readonly fields?: Readonly<Record<string, FrozenSpot>>;
};

export type FrozenView = Omit<View, "endpoint" | "thirdParty"> & { readonly endpoint: string };

export interface FrozenTool {
  readonly view: FrozenView;
  readonly toolsets: Tool["toolsets"];
  readonly draws: Drawing | null;
  readonly heads: Tool["heads"];
  readonly confirms: readonly Confirmation[];
  readonly definition: Tool["definition"];
}

export interface FrozenResource {
  readonly view: FrozenView;
  readonly isTemplate: boolean;
  readonly definition: Readonly<Record<string, string>>;
  readonly ttlMs: number;
  readonly news: readonly string[];
  readonly suggests: FrozenSuggestions;
}

export interface FrozenPrompt {
  readonly definition: Prompt["definition"];
  readonly suggests: FrozenSuggestions;
  readonly endpoints: readonly string[];
}

export type FrozenSuggestions = Readonly<
  Record<string, Omit<Suggestions, "endpoint"> & { readonly endpoint: string }>
>;
