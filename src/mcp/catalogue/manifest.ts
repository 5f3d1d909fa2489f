import type { Outline, OutlineField } from "../../contract/endpoint/outline.ts";
import type { TextLocation } from "../../core/text/escape-plan.ts";
import type { Drawing } from "../result/chart/drawing.ts";
import type { Confirmation } from "../consent/confirmation.ts";
import type { Prompt } from "./prompt.ts";
import type { Suggestions } from "./suggestions.ts";
import type { Tool } from "./tool.ts";
import type { View } from "../result/view.ts";

/* Plain data, written at build time, so that the connector over stdio starts without loading schemas. */

export interface Manifest {
  readonly version: string;
  /** By plan. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly endpoints: Readonly<Record<string, ManifestEndpoint>>;
  readonly tools: readonly ManifestTool[];
  readonly resources: readonly ManifestResource[];
  readonly prompts: readonly ManifestPrompt[];
}

export interface ManifestEndpoint {
  readonly outline: Omit<Outline, "fields"> & { readonly fields: readonly OutlineField[] };
  readonly paths: readonly string[];
  /** Null if the answer has no third-party text. */
  readonly root: ManifestTextLocation | null;
}

export type ManifestTextLocation = Pick<TextLocation, "cap" | "inRow" | "isText" | "json"> & {
  readonly items?: ManifestTextLocation;
  readonly members?: ManifestTextLocation;
  readonly keys?: ManifestTextLocation;
  readonly fields?: Readonly<Record<string, ManifestTextLocation>>;
};

export type ManifestView = Omit<View, "endpoint" | "thirdParty"> & { readonly endpoint: string };

export interface ManifestTool {
  readonly view: ManifestView;
  readonly toolsets: Tool["toolsets"];
  readonly draws: Drawing | null;
  readonly previews: Tool["previews"];
  readonly confirms: readonly Confirmation[];
  readonly definition: Tool["definition"];
}

export interface ManifestResource {
  readonly view: ManifestView;
  readonly isTemplate: boolean;
  readonly definition: Readonly<Record<string, string>>;
  readonly ttlMs: number;
  readonly watchedFields: readonly string[];
  readonly suggests: ManifestSuggestions;
}

export interface ManifestPrompt {
  readonly definition: Prompt["definition"];
  readonly suggests: ManifestSuggestions;
  readonly endpoints: readonly string[];
}

export type ManifestSuggestions = Readonly<
  Record<string, Omit<Suggestions, "endpoint"> & { readonly endpoint: string }>
>;
