import { createHash } from "node:crypto";
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { securityHeaders } from "../security-headers.ts";
import { visibleHtml } from "../visible-html.ts";

/** The colours of the pages, light and dark. */
const style = [
  "text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-variant-numeric:tabular-nums;fill:#15201f}",
  ".strong{font-weight:600}.name{font-size:13px;font-weight:600}.quiet{fill:#54615f}.on{fill:#fff}",
  ".panel{fill:#fff;stroke:#d3dbdc}.label{fill:#37474a}.value{fill:var(--tone)}.bar,.shape{fill:none;stroke:var(--tone)}",
  ".shape{stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}.shape.on{stroke:#fff}",
  ".good{--tone:#1b6b3a}.watch{--tone:#855000}.bad{--tone:#ad1f2d}.unknown{--tone:#54615f}.silenced{--tone:#5c4a8a}",
  "@media (prefers-color-scheme:dark){.chart text{fill:#e6eded}.chart .quiet{fill:#a0b0b0}.panel{fill:#161e1f;stroke:#2c393a}",
  ".chart .good{--tone:#6ecb8f}.chart .watch{--tone:#e0ab55}.chart .bad{--tone:#f28b91}.chart .unknown{--tone:#a0b0b0}",
  ".chart .silenced{--tone:#b9a7ea}}",
].join("");

const styleHash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;

/** For an image that other sites may embed: it loads nothing, and its only style is named by its hash. */
export const imageHeaders = (): Readonly<Record<string, string>> => ({
  ...securityHeaders(),
  "content-security-policy": `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cross-origin-resource-policy": "cross-origin",
});

interface SvgImageProps {
  readonly kind: "badge" | "chart";
  readonly width: number;
  readonly height: number;
  /** The image's text for screen readers. */
  readonly words: string;
  readonly children: ComponentChildren;
}

/** Makes hidden characters of names visible. */
export function svgImage({ kind, width, height, words, children }: SvgImageProps): string {
  return visibleHtml(
    renderToString(
      <svg
        xmlns="http://www.w3.org/2000/svg"
        class={kind}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={words}
      >
        <title>{words}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {children}
      </svg>,
    ),
  );
}

const narrow = /[\sijl.,:;'|!()[\]fIrt]/;
const broad = /[mwMW%@A-Z]/;

/** An estimate, px; `size` is the font size, px. Characters outside Latin count as square. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text)
    width +=
      (character.codePointAt(0) ?? 0) > 0x2ff
        ? 1
        : narrow.test(character)
          ? 0.36
          : broad.test(character)
            ? 0.78
            : 0.62;
  return Math.ceil(width * size);
}

export function beginningOf(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
