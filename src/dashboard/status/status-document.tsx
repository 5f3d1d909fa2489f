import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { visibleHtml } from "../visible-html.ts";

interface StatusDocumentProps {
  readonly title: string;
  /** The address of a file in `assetFiles`. */
  readonly asset: (name: string) => string;
  /** Names of style sheets beside those of every such document. */
  readonly styles?: readonly string[];
  /** The name of a script in `assetFiles`; the document is readable without it. */
  readonly script?: string;
  readonly children: ComponentChildren;
}

/** The same for everybody. Search engines are asked to leave it out: its address may be a secret. */
export const statusDocument = ({
  title,
  asset,
  styles = [],
  script,
  children,
}: StatusDocumentProps): string =>
  `<!doctype html>${visibleHtml(
    renderToString(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>{title}</title>
          <link rel="icon" href={asset("mark.svg")} type="image/svg+xml" />
          <link rel="stylesheet" href={asset("style.css")} />
          {["status.css", ...styles].map((name) => (
            <link key={name} rel="stylesheet" href={asset(name)} />
          ))}
          {script !== undefined && <script type="module" src={asset(script)} />}
        </head>
        <body>
          <main class="status">{children}</main>
          <footer class="page-foot">
            <p>
              Measured by <a href="/">Tickmark</a>
            </p>
          </footer>
        </body>
      </html>,
    ),
  )}`;

interface ProblemDocumentProps extends Pick<StatusDocumentProps, "title" | "asset"> {
  readonly text: string;
}

/** In place of a document that cannot be shown. */
export const problemDocument = ({ title, asset, text }: ProblemDocumentProps): string =>
  statusDocument({
    title,
    asset,
    children: (
      <section class="empty">
        <h1>{title}</h1>
        <p>{text}</p>
      </section>
    ),
  });
