import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { getAttention } from "../actions/notice/get-attention.ts";
import type { PersonAnswer, PersonCalling } from "../contract/call/call-as-person.ts";
import { currentDisplay } from "./display.ts";
import type { FormProblem, PageContent } from "./page.ts";
import { ErrorSummary } from "./parts/error-summary.tsx";
import { renderedInPieces, type Leave, type PagePiece } from "./rendered-in-pieces.ts";

type Attention = PersonAnswer<typeof getAttention>;

export interface FrameContext {
  readonly person: PersonCalling;
  readonly path: string;
  readonly csrfToken: string;
  /** A new id for a form of that action; null if the form may be sent more than once. */
  readonly formIdOf: (action: string) => string | null;
  /** Names of the page's live parts. */
  readonly parts: readonly string[];
  /** Names of the parts that the page's script loads. */
  readonly loadedParts: readonly string[];
  readonly problem: FormProblem | null;
  /** Alerts in progress and unread notices; null without a session. */
  readonly attention: Attention | null;
  /** The origin whose pages may use passkeys; null where browsers offer none. */
  readonly passkeyOrigin: string | null;
  /** The address of a file that `assetFiles` lists. */
  readonly asset: (name: string) => string;
}

type ProblemPlace = "field" | "form" | "top";

interface PageContextValue extends FrameContext {
  readonly problemPlace: ProblemPlace;
  /** Called by the field or form that shows the problem. */
  readonly markProblemShown: () => void;
  readonly leave: Leave;
}

const PageContext = createContext<PageContextValue | null>(null);

export function usePageContext(): PageContextValue {
  const found = useContext(PageContext);
  if (!found) throw new Error("This part stands on no page.");
  return found;
}

/** Many rows: on a page they are rendered a few at a time, and other requests are served in between. */
export function Rows({ of }: { of: readonly PagePiece[] }) {
  const leave: Leave = useContext(PageContext)?.leave ?? ((pieces) => pieces.map((piece) => piece()));
  return <>{leave(of)}</>;
}

/** The reason of a refused form is shown beside its field, else in the form, else at the top of the page. */
export async function renderPage(shown: PageContent, deps: FrameContext): Promise<string> {
  const { problem } = deps;
  let isProblemShown = problem === null;
  const markProblemShown = () => void (isProblemShown = true);
  const places = problem?.field === null ? (["form"] as const) : (["field", "form"] as const);
  for (const problemPlace of places) {
    const html = await render(shown, { ...deps, problemPlace, markProblemShown });
    if (isProblemShown || problem === null) return html;
  }
  const body = [problem && <ErrorSummary key="refused" problem={problem} />, shown.body];
  return render({ ...shown, body }, { ...deps, problemPlace: "top", markProblemShown });
}

type Placed = Omit<PageContextValue, "leave">;

const render = async (shown: PageContent, context: Placed): Promise<string> =>
  `<!doctype html>${await renderInside(context, <Document shown={shown} />)}`;

/** Renders content without a document around it. */
export const renderContent = (content: ComponentChildren, deps: FrameContext): Promise<string> =>
  renderInside({ ...deps, problemPlace: "top", markProblemShown: () => {} }, content);

const renderInside = (context: Placed, content: ComponentChildren): Promise<string> =>
  renderedInPieces(content, (children, leave) => (
    <PageContext.Provider value={{ ...context, leave }}>{children}</PageContext.Provider>
  ));

function Document({ shown }: { shown: PageContent }) {
  const { asset, attention } = usePageContext();
  const waiting = attention && attention.alerts > 0 ? `(${attention.alerts}) ` : "";
  const { theme, zone, zoneChoice, clock, locale } = currentDisplay();
  return (
    <html
      lang="en"
      data-theme={theme}
      data-zone={zone}
      data-zone-choice={zoneChoice}
      data-clock={clock}
      data-locale={locale}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${waiting}${shown.title} · Tickmark`}</title>
        <link rel="icon" href={asset("mark.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={asset("style.css")} />
        {(shown.styles ?? []).map((name) => (
          <link key={name} rel="stylesheet" href={asset(name)} />
        ))}
        <script type="module" src={asset("page.js")} />
        {(shown.scripts ?? []).map((name) => (
          <script key={name} type="module" src={asset(name)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header />
        <main id="content" tabIndex={-1} class={shown.narrow ? "narrow" : undefined}>
          {shown.body}
        </main>
        <footer class="page-foot">
          <p>
            Tickmark measures game servers. <a href="/docs">Documentation</a>
          </p>
        </footer>
      </body>
    </html>
  );
}

const publicLinks = [
  ["/reports", "Reports"],
  ["/offers", "Offers"],
  ["/docs", "Docs"],
] as const;

const ownLinks = [
  ["/servers", "Servers"],
  ["/alerts", "Alerts"],
  ["/reports", "Reports"],
  ["/unit-tests", "Unit tests"],
  ["/auto-bench", "Auto-bench"],
  ["/offers", "Offers"],
  ["/docs", "Docs"],
] as const;

function Header() {
  const { person, path } = usePageContext();
  const signedIn = person.kind === "session";
  const links = signedIn ? ownLinks : publicLinks;
  return (
    <header class="page-head">
      <a class="brand" href="/">
        <Logo />
        <span>Tickmark</span>
      </a>
      <input type="checkbox" id="menu" class="unseen menu-open" aria-label="Menu" autocomplete="off" />
      <label for="menu" class="button plain menu-button" aria-hidden="true">
        Menu
      </label>
      <nav aria-label="Main">
        <ul>
          {links.map(([href, name]) => (
            <NavLink key={href} href={href} path={path}>
              {name}
              {href === "/alerts" && <Count of="alerts" words="in progress" />}
            </NavLink>
          ))}
          {signedIn && person.account.role === "admin" && (
            <NavLink href="/admin" path={path}>
              Admin
            </NavLink>
          )}
        </ul>
      </nav>
      <ul class="own">
        {signedIn ? (
          <>
            <li>
              <a href="/find" data-find="" title="Ctrl K">
                Find
              </a>
            </li>
            <NavLink href="/notices" path={path}>
              Notices
              <Count of="notices" words="unread" />
            </NavLink>
            <NavLink href="/settings" path={path}>
              Settings
            </NavLink>
            <NavLink href="/sign-out" path={path}>
              Sign out
            </NavLink>
          </>
        ) : (
          <NavLink href="/sign-in" path={path}>
            Sign in
          </NavLink>
        )}
      </ul>
    </header>
  );
}

/** A script updates the count, so the element exists for 0 too. */
function Count({ of, words }: { of: keyof Attention; words: string }) {
  const count = usePageContext().attention?.[of] ?? 0;
  return (
    <span class="count" data-count={of} data-words={words} hidden={count === 0}>
      {count > 0 && (
        <>
          {count}
          <span class="unseen"> {words}</span>
        </>
      )}
    </span>
  );
}

function NavLink({ href, path, children }: { href: string; path: string; children: ComponentChildren }) {
  return (
    <li>
      <a href={href} aria-current={path === href ? "page" : path.startsWith(`${href}/`) ? "true" : undefined}>
        {children}
      </a>
    </li>
  );
}

/** A tick on a scale of twenty. */
function Logo() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path class="scale" d="M2 20h20M2 20v-3M6.5 20v-2M11 20v-3M15.5 20v-2M20 20v-3" />
      <path class="tick" d="M5 10l5 5L21 3" />
    </svg>
  );
}
