import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { EscapePlan } from "../../core/text/escape-plan.ts";
import type { PlanFeature } from "../../core/access/plan.ts";
import type { BriefRows } from "./brief-rows.ts";

/** What a tool or resource declares about its endpoint's answers. */
export interface ViewWords {
  /** By argument: the tools that list its ids, best first; a name may be followed by arguments to send. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** By argument: what else to say if its id does not exist. */
  readonly whenMissing?: Readonly<Record<string, string>>;
  /** Why the list can be empty without a filter. */
  readonly whenEmpty?: string;
  /** For how many days entries are kept on every plan; left out where REST refuses an older time, or nothing is deleted. */
  readonly keptDays?: number;
  /** True if the account's plan says how long entries are kept, and REST refuses no older time. */
  readonly keptByPlan?: true;
  /** By an argument that widens the list: why the list is still empty. */
  readonly whenWidened?: Readonly<Record<string, string>>;
  /** The feature without which a plan leaves the list empty. */
  readonly needs?: PlanFeature;
  /** Arguments that give a list of alerts a window: if one is sent, a note counts its alerts by rule. */
  readonly countedOver?: readonly string[];
  /** The default number of rows, for long rows. */
  readonly rows?: number;
  /** The members that rows show, if they are long and many must be seen at once. */
  readonly brief?: BriefRows;
  /** By filter of free text: values that it is known to find. */
  readonly examples?: Readonly<Record<string, string>>;
  /**
   * Paths of pages with the same data, best first. `{argument}` and `{answer.member}` stand for an id,
   * `{?one,another}` at the end for sent arguments that are ids or the endpoint's words.
   */
  readonly urls?: readonly string[];
  /** Lists beside the rows that can be empty, and what that means. */
  readonly whenNone?: Readonly<Record<string, string>>;
}

/** How an endpoint's answers are shown to a model. */
export interface View<E extends Outline = Endpoint> extends Omit<ViewWords, "rows"> {
  readonly endpoint: E;
  readonly thirdParty: EscapePlan;
  readonly isList: boolean;
  /** Null if the endpoint takes no `limit`. */
  readonly largestLimit: number | null;
  readonly usualRows: number;
  /** The largest `max_points`, and the number of fields by default; null if it is no series. */
  readonly points: { readonly largest: number; readonly usualFields: number } | null;
  /** Fields that narrow a list; `include_…` widens it. */
  readonly filters: readonly string[];
  /** The filters that are times or a number of days: they choose a time, and exclude nothing that happened in it. */
  readonly times: readonly string[];
  /** Filters that take an id: the refusal of a malformed id names the filter. */
  readonly idFilters: readonly string[];
  /** Filters of free text, which is compared exactly. */
  readonly exact: readonly string[];
}

export interface ShownPage {
  readonly data: readonly unknown[];
  readonly page: { readonly cursor: string | null; readonly has_more: boolean };
}

export const isPage = (value: unknown): value is ShownPage => hasRows(value) && "page" in value;

/** Whether an answer is a list, with pages or whole. */
export const hasRows = (value: unknown): value is Pick<ShownPage, "data"> =>
  typeof value === "object" && value !== null && "data" in value && Array.isArray(value.data);
