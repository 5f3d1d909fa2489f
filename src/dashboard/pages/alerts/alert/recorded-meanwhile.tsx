import type { SessionCaller } from "../../../../contract/call/caller.ts";
import type { Alert } from "../../../../core/alert/alert.ts";
import type { AccountProfile } from "../../../../core/profile/profile.ts";
import { minuteMs, toTimestamp } from "../../../../core/time.ts";
import { listAccountProfiles } from "../../../../endpoints/api/profile/list-account-profiles.ts";
import type { PageRequest } from "../../../page.ts";
import { nullIfRefused, planRefusals } from "../../../parts/null-if-refused.ts";
import { Card } from "../../../parts/state.tsx";
import { Text, Time } from "../../../parts/value.tsx";
import { ShareCell } from "../../captures/amount.tsx";

/** A recording goes on for a minute, and its file arrives a little later. */
const arrivesMs = 10 * minuteMs;
const mostProfiles = 5;

/** Profiles of the time in which the alert was pending and open, newest first. */
export async function recordedMeanwhile(
  request: PageRequest<SessionCaller>,
  { server_id, pending_since, opened_at, resolved_at }: Alert,
): Promise<readonly AccountProfile[]> {
  const span = {
    since: pending_since ?? opened_at,
    ...(resolved_at !== null && { until: toTimestamp(Date.parse(resolved_at) + arrivesMs) }),
  };
  const list = request.call(listAccountProfiles, { server_id, ...span, limit: mostProfiles });
  return (await nullIfRefused(planRefusals, list))?.data ?? [];
}

export const RecordedMeanwhile = ({ profiles }: { profiles: readonly AccountProfile[] }) => (
  <Card title="Profiles recorded meanwhile">
    <ul>
      {profiles.map(({ id, server_id, profile_id, captured_at, uploaded_at, trigger, top_plugin }) => (
        <li key={id}>
          <a href={`/servers/${server_id}/profiles${profile_id === null ? "" : `/${profile_id}`}`}>
            <Time at={captured_at ?? uploaded_at} />
          </a>
          {trigger === "lag" && ", recorded because the server lagged"}
          {top_plugin !== null && (
            <>
              : <Text value={top_plugin.owner} /> has the largest share of all plugins (
              <ShareCell pct={top_plugin.self_pct} /> of its own)
            </>
          )}
        </li>
      ))}
    </ul>
  </Card>
);
