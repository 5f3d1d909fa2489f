import type { ComponentChildren } from "preact";

interface Entry {
  readonly href: string;
  readonly title: string;
  /** Whether its page is shown: only then its parts are listed. */
  readonly isOpen: boolean;
  readonly parts: readonly {
    readonly id: string;
    readonly title?: string;
    readonly text: ComponentChildren;
  }[];
}

/** All pages, and the parts of the page that is shown. */
export function Contents({ label, entries }: { label: string; entries: readonly Entry[] }) {
  return (
    <nav class="contents" aria-label={label}>
      <ul>
        {entries.map(({ href, title, isOpen, parts }) => (
          <li key={href}>
            <a href={href} aria-current={isOpen ? "page" : undefined}>
              {title}
            </a>
            {isOpen && parts.length > 0 && (
              <ul>
                {parts.map((part) => (
                  <li key={part.id}>
                    <a href={`#${part.id}`} title={part.title}>
                      {part.text}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        <li>
          <a href="/docs">All documentation</a>
        </li>
      </ul>
    </nav>
  );
}
