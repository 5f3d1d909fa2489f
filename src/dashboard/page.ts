import type { ComponentChildren } from "preact";
import type { z } from "zod";
import type { PersonAnswer, PersonCalling } from "../contract/call/call-as-person.ts";
import type { ReadBody } from "../contract/call/app-context.ts";
import type { SessionCaller } from "../contract/call/caller.ts";
import type { Consents } from "../contract/access/consents.ts";
import type { TypedEndpoint } from "../contract/endpoint/endpoint.ts";
import type { Plans } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";

/** Somebody looks at a page. */
export interface PageRequest<P extends PersonCalling = PersonCalling> {
  readonly person: P;
  /** What stands in the path's placeholders. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The path and query as they were asked for. */
  readonly url: string;
  readonly now: Instant;
  /** What every plan allows, as the operator set it. */
  readonly plans: Plans;
  readonly baseUrl: string;
  readonly requestId: string;
  readonly consents: Consents;
  /** A cookie of the browser; null when it has none of that name. */
  cookie(name: string): string | null;
  /** Calls an endpoint as this visitor; throws Refusal. No window of the account is touched. */
  call<E extends TypedEndpoint>(
    endpoint: E,
    input: z.input<E["input"]> | ((read: ReadBody) => Promise<z.input<E["input"]>>),
  ): Promise<PersonAnswer<E>>;
}

/** Somebody sent a form of a page; the CSRF token and the origin are checked already. */
export interface Submission<P extends PersonCalling = PersonCalling> extends PageRequest<P> {
  readonly form: URLSearchParams;
  readonly userAgent: string | null;
  /** Hands the browser its session's secret; null takes it away. */
  setSession(secret: string | null): void;
  /** What the browser kept of earlier sign-ins; null when it has none. */
  readonly device: string | null;
  /** Lets the browser keep that somebody signed in with it. */
  setDevice(device: string): void;
}

/** Somebody sent a file from a page, the body being its bytes; checked like a form. */
export interface SentFile<P extends PersonCalling = PersonCalling> extends PageRequest<P> {
  readonly bytes: Buffer;
}

/** Files that a page takes, sent by its script. */
interface Upload<P extends PersonCalling> {
  /** The longest file, bytes. */
  readonly limit: number;
  take(sent: SentFile<P>): Promise<{ readonly to: string }>;
}

/** A form that was refused, so that its page can say so beside it, with what was typed still in it. */
export interface FormProblem {
  readonly action: string;
  readonly message: string;
  readonly form: URLSearchParams;
}

/** What a page shows. */
export interface Shown {
  readonly title: string;
  readonly body: ComponentChildren;
  /** 200 when left out. */
  readonly status?: number;
  /** For a page that asks for one thing: it stands in the middle, no wider than its form. */
  readonly narrow?: boolean;
  /** Names of scripts in `assets/` this page moves with; without them it still reads. */
  readonly scripts?: readonly string[];
  /** Names of further style sheets in `assets/`. */
  readonly styles?: readonly string[];
  /** Where the browser goes on by itself once it shows the page, which it does not leave when that is a program. */
  readonly refreshTo?: string;
  /** Where forms of this page may lead besides here: the origin a consent redirects to. */
  readonly formTargets?: readonly string[];
}

/** Where the browser goes after a form was done, or what it is shown at once: a secret that is shown once. */
export type Done = { readonly to: string } | Shown;

interface Spec<P extends PersonCalling> {
  readonly path: string;
  show(request: PageRequest<P>, problem: FormProblem | null): Promise<Shown | { readonly to: string }>;
  /** By the name that a form carries in its field `do`. */
  readonly actions?: Readonly<Record<string, (sent: Submission<P>) => Promise<Done>>>;
  /** Actions whose forms are done once, however often they are sent, and what is said of the second time. */
  readonly once?: Readonly<Record<string, string>>;
  readonly upload?: Upload<P>;
}

/** One page: a path, what it shows, and what its forms do. Nothing else knows its path. */
export interface DashboardPage {
  readonly path: string;
  /** `person`: without a session the visitor is led to sign in, and back. */
  readonly who: "anyone" | "person" | "admin";
  readonly show: Spec<PersonCalling>["show"];
  readonly actions: NonNullable<Spec<PersonCalling>["actions"]>;
  readonly once?: NonNullable<Spec<PersonCalling>["once"]>;
  readonly upload?: Upload<PersonCalling>;
}

/** A page for everybody, signed in or not. */
export const publicPage = (spec: Spec<PersonCalling>): DashboardPage => ({
  actions: {},
  ...spec,
  who: "anyone",
});

/** A page for people who are signed in. */
export const personPage = (spec: Spec<SessionCaller>): DashboardPage => narrowed(spec, "person");

/** A page for admins; to others it does not exist. */
export const adminPage = (spec: Spec<SessionCaller>): DashboardPage => narrowed(spec, "admin");

/** Sound because the mount shows these pages to visitors with a session alone. */
const narrowed = (spec: Spec<SessionCaller>, who: DashboardPage["who"]): DashboardPage =>
  ({ actions: {}, ...spec, who }) as unknown as DashboardPage;
