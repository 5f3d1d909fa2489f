import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Guide } from "./guides.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Tool } from "./tool.ts";
import type { Wording } from "../result/wording.ts";

/** The connector's entries, in a fixed order. */
export interface Catalogue<E extends Outline = Endpoint> {
  readonly tools: readonly Tool<E>[];
  readonly resources: readonly Resource<E>[];
  readonly prompts: readonly Prompt<E>[];
  readonly guides: readonly Guide[];
  readonly wording: Wording;
}
