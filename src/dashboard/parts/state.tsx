import type { ComponentChildren } from "preact";

/** Each meaning has a colour and its own shape. */
export type Meaning = "good" | "watch" | "bad" | "unknown" | "silenced";

/** Paths in a square of 16. */
export const stateShapes: Readonly<Record<Meaning, string>> = {
  good: "M3 8.5l3.5 3.5L13 4.5",
  watch: "M8 2.5L14.5 13.5H1.5zM8 6.5v3.5M8 11.5v.5",
  bad: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  unknown: "M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .7-1 1.5M8 12v.5",
  silenced: "M3 8h10",
};

export function State({ means, children }: { means: Meaning; children: ComponentChildren }) {
  return (
    <span class={`state ${means}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">
        <path d={stateShapes[means]} />
      </svg>
      {children}
    </span>
  );
}

interface EmptyProps {
  readonly title: string;
  /** What will be here, or why there is nothing. */
  readonly children?: ComponentChildren;
  /** The next step: a link, a command or a form. */
  readonly next: ComponentChildren;
}

/** In place of an empty list. */
export function Empty({ title, children, next }: EmptyProps) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
      <div class="next stack-half">{next}</div>
    </section>
  );
}

export function Card({
  title,
  aside,
  children,
  id,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  id?: string;
}) {
  return (
    <section class="card" id={id}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export function Notice({ means = "unknown", children }: { means?: Meaning; children: ComponentChildren }) {
  return <div class={`notice ${means}`}>{children}</div>;
}
