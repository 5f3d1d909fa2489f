import type { ComponentChildren } from "preact";

/** Outcomes that are neither good nor bad: each has its own shape, in the text's colour. */
export type MarkShape = "above" | "below" | "level" | "apart" | "missing" | "info";

const shapes: Readonly<Record<MarkShape, string>> = {
  above: "M8 3L14 13H2z",
  below: "M8 13L2 3h12z",
  level: "M3 6h10M3 10h10",
  apart: "M3 13L13 3M8 2.5a5.5 5.5 0 1 0 .01 0z",
  missing: "M3 8h2M7 8h2M11 8h2",
  info: "M8 7.5v5M8 3.5v.5",
};

export function Mark({ shape, children }: { shape: MarkShape; children: ComponentChildren }) {
  return (
    <span class="state">
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">
        <path d={shapes[shape]} />
      </svg>
      {children}
    </span>
  );
}
