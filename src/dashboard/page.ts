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

/** A request for a page. */
export interface PageRequest<P extends PersonCalling = PersonCalling> {
  readonly person: P;
  /** The values of the path's placeholders. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The requested path and query. */
  readonly url: string;
  readonly now: Instant;
  /** The limits of every plan, as the operator set them. */
  readonly plans: Plans;
  readonly baseUrl: string;
  /** Of the program that runs. */
  readonly version: string;
  /** The text of a guide, as Markdown. */
  readonly guideText: (name: string) => string;
  readonly requestId: string;
  readonly consents: Consents;
  readonly plots: PlotCache;
  /** What the browser keeps from page to page with or without a session, and no script reads; null if nothing. */
  readonly browser: string | null;
  /** The value of a cookie; null if the browser sent none of that name. */
  cookie(name: string): string | null;
  /** Calls an endpoint or an action as this visitor; throws Refusal. The call does not count against the account's limits. */
  call<C extends CalledByPages>(
    called: C,
    input: PersonInput<C> | ((read: ReadBody) => Promise<PersonInput<C>>),
  ): Promise<PersonAnswer<C>>;
}

/** A form of a page that was sent. Its CSRF token and origin have been checked. */
export interface Submission<P extends PersonCalling = PersonCalling> extends PageRequest<P> {
  readonly form: URLSearchParams;
  readonly userAgent: string | null;
  /** Sets the session cookie; null deletes it. */
  setSession(secret: string | null): void;
  /** Keeps a display in the browser. */
  setDisplay(display: Pick<Display, "theme" | "zoneChoice" | "clock">): void;
  /** The value of the device cookie of earlier sign-ins; null if there is none. */
  readonly device: string | null;
  /** Sets the device cookie, by which later sign-ins recognise the browser. */
  setDevice(device: string): void;
}

/** A file that a page's script sent as the body of the request. It has been checked like a form. */
export interface SentFile<P extends PersonCalling = PersonCalling> extends PageRequest<P> {
  readonly bytes: Buffer;
}

/** The files that a page accepts from its script. */
interface Upload<P extends PersonCalling> {
  /** The longest file, bytes. */
  readonly limit: number;
  take(sent: SentFile<P>): Promise<{ readonly to: string }>;
}

/** A refused form: the page shows the message beside the form and keeps what was typed. */
export interface FormProblem {
  readonly action: string;
  readonly message: string;
  /** The name of the field that was refused; null if it was not a single one. */
  readonly field: string | null;
  readonly form: URLSearchParams;
}

/** The content of a page. */
export interface PageContent {
  readonly title: string;
  readonly body: ComponentChildren;
  /** 200 if left out. */
  readonly status?: number;
  /** The page is a single form: it is centred and no wider than the form. */
  readonly narrow?: boolean;
  /** Names of scripts for this page, which is readable without them: of the files that `assetFiles` lists. */
  readonly scripts?: readonly string[];
  /** Names of further style sheets, of the same files. */
  readonly styles?: readonly string[];
  /**
   * Target of the Refresh header: the browser opens it after it has shown the page. If a local program handles the
   * address, the page stays.
   */
  readonly refreshTo?: string;
  /** Further origins to which forms of this page may redirect: that of a program that asks for consent. */
  readonly formTargets?: readonly string[];
}

/** The result of a form: a redirect, or a page that is shown at once because it contains a secret. */
export type ActionResult = { readonly to: string } | PageContent;

interface PageSpec<P extends PersonCalling> {
  readonly path: string;
  show(request: PageRequest<P>, problem: FormProblem | null): Promise<PageContent | { readonly to: string }>;
  /** By the name in the form's field `do`. */
  readonly actions?: Readonly<Record<string, (sent: Submission<P>) => Promise<ActionResult>>>;
  /** The longest form of a visitor without a session, bytes; `openBodyLimit` if left out. */
  readonly openFormLimit?: number;
  /** Actions that run once for each form, with the message for a form that is sent again. */
  readonly once?: Readonly<Record<string, string>>;
  readonly upload?: Upload<P>;
  /** Reads and renders the content of one live part, by the name of its `LivePart`. */
  readonly parts?: Readonly<Record<string, (request: PageRequest<P>) => Promise<ComponentChildren>>>;
  /** The same for a part that the page's script requests, by the name of its `LoadedPart`. */
  readonly loadedParts?: Readonly<Record<string, (request: PageRequest<P>) => Promise<ComponentChildren>>>;
  /** Reads what the page's script requests as JSON, by name. */
  readonly data?: Readonly<Record<string, (request: PageRequest<P>) => Promise<unknown>>>;
}

/** One page: its path, content and form actions. */
export interface DashboardPage {
  readonly path: string;
  /** `person`: a visitor without a session is redirected to the sign-in page, and back afterwards. */
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

/** A page for everybody, signed in or not. */
export const publicPage = (spec: PageSpec<PersonCalling>): DashboardPage => ({
  ...nothingMore,
  ...spec,
  who: "anyone",
});

/** A page for people who are signed in. */
export const personPage = (spec: PageSpec<SessionCaller>): DashboardPage => narrowed(spec, "person");

/** A page for admins. Others get 404. */
export const adminPage = (spec: PageSpec<SessionCaller>): DashboardPage => narrowed(spec, "admin");

/** The cast is safe: `respond` shows these pages only to visitors with a session. */
const narrowed = (spec: PageSpec<SessionCaller>, who: DashboardPage["who"]): DashboardPage =>
  ({ ...nothingMore, ...spec, who }) as unknown as DashboardPage;
