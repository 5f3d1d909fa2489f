import type { ComponentChildren } from "preact";
import type { z } from "zod";
import type { PlanLimits } from "../../../../core/access/plan.ts";
import type { Offer } from "../../../../core/offer/offer.ts";
import type { Server } from "../../../../core/server/server.ts";
import type { ServerGroup } from "../../../../core/server/server-group.ts";
import type { SiteStep } from "../../../../core/server/status.ts";
import type { ServerSettings as Settings } from "../../../../actions/server/server-settings.ts";
import { Button, Check, Choice, FormField, Form } from "../../../parts/form.tsx";
import { Card, State, type Meaning } from "../../../parts/state.tsx";

export function GeneralCard({ server }: { server: z.input<typeof Server> }) {
  return (
    <Card title="Name and visibility">
      <Form does="general">
        <FormField name="name" label="Name" value={server.name} maxLength={80} required of="general" />
        <Check
          name="is_public"
          label="Public: report pages name this server"
          checked={server.is_public}
          of="general"
        />
        <Check
          name="show_address_on_report"
          label="Show its address on reports"
          checked={server.show_address_on_report}
          of="general"
        />
        <Check
          name="notify_on_report"
          label="Notify me when a new report is uploaded"
          checked={server.notify_on_report}
          of="general"
        />
        <Button>Save</Button>
      </Form>
    </Card>
  );
}

const steps: Readonly<Record<SiteStep, readonly [Meaning, string]>> = {
  on: ["good", "Measurements are accepted"],
  on_plan_lapsed: ["watch", "Switched on, but the plan no longer includes monitoring"],
  on_over_quota: ["watch", "Switched on, but the plan monitors fewer servers: only those linked last"],
  off: ["silenced", "Switched off"],
  off_quota_reached: ["silenced", "Switched off; other servers use all that the plan covers"],
  off_plan_required: ["silenced", "Switched off; the plan does not include monitoring"],
};

interface MonitoringCardProps {
  readonly settings: Settings;
  readonly plan: PlanLimits;
  readonly children: ComponentChildren;
}

export function MonitoringCard({ settings, plan, children }: MonitoringCardProps) {
  const [means, words] = steps[settings.site_step];
  const enabled = settings.server.monitoring_enabled;
  return (
    <Card title="Monitoring" aside={<State means={means}>{words}</State>}>
      <p class="quiet">
        The plan monitors {plan.monitored_servers} {plan.monitored_servers === 1 ? "server" : "servers"}.
        While monitoring is off, no data is accepted and open alerts end. Stored data stays.
      </p>
      <Form does="monitoring" hidden={{ enabled: String(!enabled) }}>
        <Button plain={enabled}>{enabled ? "Switch monitoring off" : "Switch monitoring on"}</Button>
      </Form>
      <p>{children}</p>
    </Card>
  );
}

export function AddressCard({ settings }: { settings: Settings }) {
  return (
    <Card title="Address">
      <Form does="address">
        <FormField
          name="address"
          label="Address"
          hint="The address where players connect. Others see it only on reports, and only if that is switched on above."
          value={settings.address}
          maxLength={255}
          of="address"
        />
        <FormField
          name="port"
          label="Port"
          type="number"
          min={1}
          max={65_535}
          value={settings.port}
          of="address"
        />
        <Button>Save address</Button>
      </Form>
    </Card>
  );
}

export function GroupCard({
  server,
  groups,
}: {
  server: z.input<typeof Server>;
  groups: readonly z.input<typeof ServerGroup>[];
}) {
  const options = groups.map(({ id, name }) => [id, name] as const);
  return (
    <Card title="Group" aside={<a href="/groups">All groups</a>}>
      {groups.length > 0 && (
        <Form does="group">
          <Choice
            name="group_id"
            label="Group"
            options={[["", "No group"], ...options]}
            value={server.group_id ?? ""}
            of="group"
          />
          <Button>Save group</Button>
        </Form>
      )}
      <Form does="new-group">
        <FormField name="name" label="Name of a new group" maxLength={64} required of="new-group" />
        <Button plain>Create the group and put the server in it</Button>
      </Form>
    </Card>
  );
}

export function OfferCard({
  settings,
  offers,
}: {
  settings: Settings;
  offers: readonly z.input<typeof Offer>[];
}) {
  const { offer } = settings;
  const listed = offers.map(({ id, name, provider }) => [id, `${provider.name}: ${name}`] as const);
  const own =
    offer === null || listed.some(([id]) => id === offer.id)
      ? []
      : ([[offer.id, `${offer.provider}: ${offer.name}`]] as const);
  return (
    <Card title="Hosting offer">
      <p class="quiet">
        Choose the offer of the catalogue that this server runs on. Its public reports then count as evidence
        for the offer.
      </p>
      {listed.length + own.length === 0 ? (
        <p>The catalogue has no offers yet.</p>
      ) : (
        <Form does="offer">
          <Choice
            name="offer_id"
            label="Offer"
            options={[["", "No offer, or not listed"], ...own, ...listed]}
            value={offer?.id ?? ""}
            of="offer"
          />
          <Button>Save offer</Button>
        </Form>
      )}
    </Card>
  );
}
