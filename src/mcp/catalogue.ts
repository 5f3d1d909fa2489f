import type { Guide } from "./guides.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Tool } from "./tool.ts";
import type { Wording } from "./wording.ts";

/** All the connector offers, in fixed order. */
export interface Catalogue {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly guides: readonly Guide[];
  readonly wording: Wording;
}
