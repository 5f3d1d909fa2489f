import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { EscapePlan } from "../../core/text/escape-plan.ts";
import type { PlanFeature } from "../../core/access/plan.ts";
import type { BriefRows } from "./brief-rows.ts";

/** What the tables say about an endpoint's answers, in words. */
export interface ViewWords {
  /**
   * By argument: the tools that list the ids it takes, best first. After a tool's name may stand the arguments it
   * takes for that.
   */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** By argument: what else to say where its id names nothing. */
  readonly whenMissing?: Readonly<Record<string, string>>;
  /** Why the list can be empty when no filter was sent. */
  readonly whenEmpty?: string;
  /** By an argument that widens the list: why it is empty even so. */
  readonly whenWidened?: Readonly<Record<string, string>>;
  /** What a plan has to include for the list to hold anything. */
  readonly needs?: PlanFeature;
  /** The arguments that give a list of alerts a window: with one of them, a note counts its alerts by rule. */
  readonly countedOver?: readonly string[];
  /** Rows unless `limit` is sent, where they are long. */
  readonly rows?: number;
  /** What its rows show, where they are long and many have to be seen at once. */
  readonly brief?: BriefRows;
  /** Values that a filter of free text is known to find, in words. */
  readonly examples?: Readonly<Record<string, string>>;
  /**
   * Paths of the dashboard where a signed-in person sees the same, best first; left out where no page shows it.
   * `{argument}` and `{answer.member}` stand for an id, `{?one,another}` at the end for arguments that were sent and
   * are ids, or words the endpoint chooses from.
   */
  readonly urls?: readonly string[];
  /** Lists beside rows that can be empty, and what that means. */
  readonly whenNone?: Readonly<Record<string, string>>;
}

/** How the answers of one endpoint are shown to a model. */
export interface View<E extends Outline = Endpoint> extends Omit<ViewWords, "rows"> {
  readonly endpoint: E;
  readonly thirdParty: EscapePlan;
  /** True for answers that are a page of rows. */
  readonly isList: boolean;
  /** The largest `limit` the endpoint takes; null where it takes none. */
  readonly largestLimit: number | null;
  /** The default number of rows. */
  readonly usualRows: number;
  /** The largest `max_points` the endpoint takes, and how many fields it shows unasked; null for no series. */
  readonly points: { readonly largest: number; readonly usualFields: number } | null;
  /** Names of the fields that narrow a list; `include_…` widens it. */
  readonly filters: readonly string[];
  /** The arguments that take an id: a value that cannot be an id is refused by its argument's name. */
  readonly idFilters: readonly string[];
  /** Those of them that take any text, which is compared as it is. */
  readonly exact: readonly string[];
}

/** A page as every list endpoint answers it. */
export interface ShownPage {
  readonly data: readonly unknown[];
  readonly page: { readonly cursor: string | null; readonly has_more: boolean };
}

export const isPage = (value: unknown): value is ShownPage => hasRows(value) && "page" in value;

/** Whether an answer is a list, with pages or whole. */
export const hasRows = (value: unknown): value is Pick<ShownPage, "data"> =>
  typeof value === "object" && value !== null && "data" in value && Array.isArray(value.data);
