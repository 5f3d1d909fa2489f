import type { ComponentChildren } from "preact";
import { Card } from "../../parts/state.tsx";
import { SettingsTabs } from "../../parts/tabs.tsx";

/** A page below the settings' security page, with a link back. */
export function BelowSecurity({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <h1>Settings</h1>
      <SettingsTabs />
      <Card title={title} aside={<a href="/settings/security">Back to Security</a>}>
        {children}
      </Card>
    </>
  );
}
