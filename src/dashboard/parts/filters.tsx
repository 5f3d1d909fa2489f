import type { ComponentChildren } from "preact";

interface FiltersProps {
  /** The accessible name. */
  readonly label: string;
  /** The form's own page if left out. */
  readonly to?: string;
  readonly does?: string;
  readonly children: ComponentChildren;
}

/** Filters are in the page's address, so they work without a script and can be linked. */
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
