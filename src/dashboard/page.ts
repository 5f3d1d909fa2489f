import type { ComponentChildren } from "preact";
import type { Display } from "./display.ts";
import type {
  CalledByPages,
  PersonAnswer,
  PersonCalling,
  PersonInput,
} from "../contract/call/call-as-person.ts";
import type { ReadBody } from "../contract/call/app-context.ts";
import type { SessionCaller } from "../contract/call/caller.ts";
import type { Consents } from "../contract/call/consents.ts";
import type { Plans } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";
import type { PlotCache } from "./pages/servers/plot-cache.ts";

export interface PageRequest<P extends PersonCalling = PersonCalling> {
  readonly person: P;
  /** The values of the path's placeholders. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Path and query. */
  readonly url: string;
  readonly now: Instant;
  /** The limits of every plan, as the operator set them. */
  readonly plans: Plans;
  readonly baseUrl: string;
  /** Of this program. */
  readonly version: string;
  /** As Markdown. */
  readonly guideText: (name: string) => string;
  readonly requestId: string;
  readonly consents: Consents;
  readonly plots: PlotCache;
  /** The form cookie, which the browser keeps with or without a session; null if there is none. */
  readonly browser: string | null;
  cookie(name: string): string | null;
  /** Calls as this visitor; throws `Refusal`. The call does not count against the account's limits. */
  call<C extends CalledByPages>(
    called: C,
    input: PersonInput<C> | ((read: ReadBody) => Promise<PersonInput<C>>),
  ): Promise<PersonAnswer<C>>;
}

/** A sent form, whose CSRF token and origin have been checked. */
export interface Submission<P extends PersonCalling = PersonCalling> extends PageRequest<P> {
  readonly form: URLSearchParams;
  readonly userAgent: string | null;
  /** Null deletes the session cookie. */
  setSession(secret: string | null): void;
  setDisplay(display: Pick<Display, "theme" | "zoneChoice" | "clock">): void;
  /** The device cookie of earlier sign-ins; null if there is none. */
  readonly device: string | null;
  /** Later sign-ins recognise the browser by this cookie. */
  setDevice(device: string): void;
}

/** A file that a page's script sent as the request's body. Token and origin have been checked. */
export interface SentFile<P extends PersonCalling = PersonCalling> extends PageRequest<P> {
  readonly bytes: Buffer;
}

interface Upload<P extends PersonCalling> {
  /** The longest file, bytes. */
  readonly limit: number;
  take(sent: SentFile<P>): Promise<{ readonly to: string }>;
}

/** A refused form: the page shows the message and keeps what was typed. */
export interface FormProblem {
  readonly action: string;
  readonly message: string;
  /** Null if no single field was refused. */
  readonly field: string | null;
  readonly form: URLSearchParams;
}

export interface PageContent {
  readonly title: string;
  readonly body: ComponentChildren;
  /** 200 if left out. */
  readonly status?: number;
  /** The page is a single form: centred, and no wider than the form. */
  readonly narrow?: boolean;
  /** Names from `assetFiles`. The page is readable without its scripts. */
  readonly scripts?: readonly string[];
  /** Names from `assetFiles`. */
  readonly styles?: readonly string[];
  /** Target of the Refresh header. The page stays if a local program handles the address. */
  readonly refreshTo?: string;
  /** Further origins to which forms may redirect: the origin of a program that requests consent. */
  readonly formTargets?: readonly string[];
}

/** A redirect, or a page with a secret that is shown only once. */
export type ActionResult = { readonly to: string } | PageContent;

interface PageSpec<P extends PersonCalling> {
  readonly path: string;
  show(request: PageRequest<P>, problem: FormProblem | null): Promise<PageContent | { readonly to: string }>;
  /** By the form's field `do`. */
  readonly actions?: Readonly<Record<string, (sent: Submission<P>) => Promise<ActionResult>>>;
  /** The longest form of a visitor without a session, bytes; `openBodyLimit` if left out. */
  readonly openFormLimit?: number;
  /** By action: it runs once for each form; the message is for a form that is sent again. */
  readonly once?: Readonly<Record<string, string>>;
  readonly upload?: Upload<P>;
  /** By the name of a `LivePart`: its content. */
  readonly parts?: Readonly<Record<string, (request: PageRequest<P>) => Promise<ComponentChildren>>>;
  /** By the name of a `LoadedPart`: its content. */
  readonly loadedParts?: Readonly<Record<string, (request: PageRequest<P>) => Promise<ComponentChildren>>>;
  /** By name: data that the page's script requests as JSON. */
  readonly data?: Readonly<Record<string, (request: PageRequest<P>) => Promise<unknown>>>;
}

export interface DashboardPage {
  readonly path: string;
  /** `person`: visitors without a session are redirected to the sign-in page, and back afterwards. */
  readonly who: "anyone" | "person" | "admin";
  readonly show: PageSpec<PersonCalling>["show"];
  readonly actions: NonNullable<PageSpec<PersonCalling>["actions"]>;
  readonly openFormLimit?: number;
  readonly once?: NonNullable<PageSpec<PersonCalling>["once"]>;
  readonly upload?: Upload<PersonCalling>;
  readonly parts: NonNullable<PageSpec<PersonCalling>["parts"]>;
  readonly loadedParts: NonNullable<PageSpec<PersonCalling>["loadedParts"]>;
  readonly data: NonNullable<PageSpec<PersonCalling>["data"]>;
}

const nothingMore = { actions: {}, parts: {}, loadedParts: {}, data: {} };

export const publicPage = (spec: PageSpec<PersonCalling>): DashboardPage => ({
  ...nothingMore,
  ...spec,
  who: "anyone",
});

export const personPage = (spec: PageSpec<SessionCaller>): DashboardPage => narrowed(spec, "person");

/** Everybody else gets 404. */
export const adminPage = (spec: PageSpec<SessionCaller>): DashboardPage => narrowed(spec, "admin");

/** Sound: `respond` shows these pages only to visitors with a session. */
const narrowed = (spec: PageSpec<SessionCaller>, who: DashboardPage["who"]): DashboardPage =>
  ({ ...nothingMore, ...spec, who }) as unknown as DashboardPage;
