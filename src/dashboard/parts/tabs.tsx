import { useSurroundings } from "../frame.tsx";

interface TabsProps {
  /** What the tabs are of, read out. */
  readonly of: string;
  readonly places: readonly (readonly [href: string, name: string])[];
}

/** Pages that belong together. */
export function Tabs({ of, places }: TabsProps) {
  const { path } = useSurroundings();
  return (
    <nav aria-label={of}>
      <ul class="tabs">
        {places.map(([href, name]) => (
          <li key={href}>
            <a href={href} aria-current={path === href ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The pages of one server. */
export function ServerTabs({ id }: { id: string }) {
  const base = `/servers/${id}`;
  return (
    <Tabs
      of="Server"
      places={[
        [base, "Now"],
        [`${base}/rules`, "Rules"],
        [`${base}/profiles`, "Profiles"],
        [`${base}/memory-reports`, "Memory"],
        [`${base}/settings`, "Settings"],
      ]}
    />
  );
}

/** The pages of one's own settings. */
export function SettingsTabs() {
  return (
    <Tabs
      of="Settings"
      places={[
        ["/settings", "Account"],
        ["/settings/notifications", "Notifications"],
        ["/settings/security", "Security"],
      ]}
    />
  );
}
