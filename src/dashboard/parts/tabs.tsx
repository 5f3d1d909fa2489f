import { usePageContext } from "../frame.tsx";

interface TabsProps {
  /** The accessible name. */
  readonly of: string;
  readonly links: readonly (readonly [href: string, name: string])[];
}

/** The tab with the longest path that the page's path begins with; null if there is none. */
const activeTab = (path: string, links: readonly string[]): string | null =>
  links
    .filter((href) => path === href || path.startsWith(`${href}/`))
    .toSorted((one, other) => other.length - one.length)[0] ?? null;

/** `page` for the page itself, `true` for a page above it. */
const currentOf = (path: string, href: string, here: string | null) =>
  href !== here ? undefined : path === href ? "page" : "true";

export function Tabs({ of, links }: TabsProps) {
  const { path } = usePageContext();
  const here = activeTab(
    path,
    links.map(([href]) => href),
  );
  return (
    <nav aria-label={of}>
      <ul class="tabs">
        {links.map(([href, name]) => (
          <li key={href}>
            <a href={href} aria-current={currentOf(path, href, here)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function ServerTabs({ id }: { id: string }) {
  const base = `/servers/${id}`;
  return (
    <Tabs
      of="Server"
      links={[
        [base, "Now"],
        [`${base}/charts`, "Charts"],
        [`${base}/timeline`, "Timeline"],
        [`${base}/periods`, "Periods"],
        [`${base}/rules`, "Rules"],
        [`${base}/profiles`, "Profiles"],
        [`${base}/memory-reports`, "Memory"],
        [`${base}/settings`, "Settings"],
      ]}
    />
  );
}

export function SettingsTabs() {
  return (
    <Tabs
      of="Settings"
      links={[
        ["/settings", "Account"],
        ["/settings/notifications", "Notifications"],
        ["/settings/security", "Security"],
        ["/settings/display", "Display"],
      ]}
    />
  );
}
