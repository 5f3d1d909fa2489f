import type { ComponentChildren } from "preact";

interface FiltersProps {
  /** What they choose, read out. */
  readonly label: string;
  /** Where they lead; the page they stand on when left out. */
  readonly to?: string;
  readonly does?: string;
  readonly children: ComponentChildren;
}

/** Filters of a list, which are its address: no script, and a link to them leads to the same rows. */
export function Filters({ label, to, does = "Show", children }: FiltersProps) {
  return (
    <form method="get" action={to} class="filters" role="search" aria-label={label}>
      {children}
      <button type="submit" class="plain">
        {does}
      </button>
    </form>
  );
}
