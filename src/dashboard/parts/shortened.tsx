import type { ComponentChildren } from "preact";

interface ShortenedProps<T> {
  readonly items: readonly T[];
  /** How many are shown without a click. */
  readonly first: number;
  /** The words after the number of the others. */
  readonly others: string;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ComponentChildren;
}

/** A list, most important first; the others are shown on demand, because a phone has little room. */
export function Shortened<T>({ items, first, others, keyOf, children }: ShortenedProps<T>) {
  const shown = items.length > first + 1 ? items.slice(0, first) : items;
  const left = items.slice(shown.length);
  const entries = (some: readonly T[]) => (
    <ol class="entries">
      {some.map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
    </ol>
  );
  return (
    <>
      {entries(shown)}
      {left.length > 0 && (
        <details>
          <summary>
            {left.length} {others}
          </summary>
          {entries(left)}
        </details>
      )}
    </>
  );
}
