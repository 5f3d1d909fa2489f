import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { getProfile } from "../../../../endpoints/api/profile/get-profile.ts";
import type { getFlameGraph } from "../../../../actions/profile/get-flame-graph.ts";
import { Count } from "../amount.tsx";
import { inWords } from "../capture-words.ts";
import { Card, State } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { Quantity, Text, Time } from "../../../parts/value.tsx";

type Full = PersonAnswer<typeof getProfile> | null;
type Profile = PersonAnswer<typeof getFlameGraph>["profile"];

/** How a profile was taken, and what limits it. */
export function Capture({ profile, full }: { profile: Profile; full: Full }) {
  const { summary } = profile;
  const detail = full?.detail ?? null;
  const { window, samples, platform } = summary;
  return (
    <Card title="Capture">
      <Facts
        of={[
          ["Captured", <Time key="at" at={profile.captured_at} />],
          ["Uploaded", <Time key="at" at={profile.uploaded_at} />],
          ["Trigger", <Text key="t" value={summary.trigger} none="not reported" />],
          ["Lag", <Lag key="l" summary={summary} full={full} />],
          ["Window", <Quantity key="w" value={window.seconds} unit="s" />],
          ["Engine", <Text key="e" value={detail?.engine ?? null} none="not reported" />],
          ["Tick samples", <Count key="s" value={samples.tick} />],
          ["Samples of all threads", <Count key="a" value={samples.total} />],
          [
            "Server",
            <Text key="p" value={words(platform.server_type, platform.server_version)} none="not reported" />,
          ],
          [
            "Java",
            <Text
              key="j"
              value={words(platform.java_version, detail?.jvm.java_vendor ?? null)}
              none="not reported"
            />,
          ],
          ["Plugin version", <Text key="v" value={full?.plugin_version ?? null} none="not reported" />],
          ["Local id", <Text key="i" value={summary.local_id} />],
        ]}
      />
      <Completeness summary={summary} detail={detail} />
    </Card>
  );
}

const words = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null && part !== "").join(" ") || null;

function Lag({ summary: { lag }, full }: { summary: Profile["summary"]; full: Full }) {
  if (lag === null) return <span class="quiet">none</span>;
  const longest = full?.detail?.lag?.longest_tick_ms ?? null;
  return (
    <>
      <Text value={lag.kind} none="lag" />, <Count value={lag.slow_ticks} /> slow ticks
      {longest !== null && (
        <>
          , the longest <Quantity value={longest} unit="ms" />
        </>
      )}
    </>
  );
}

/** Missing data and the sender's warnings. */
function Completeness({
  summary,
  detail,
}: {
  summary: Profile["summary"];
  detail: NonNullable<Full>["detail"];
}) {
  const notes = [
    ...summary.warnings.map(inWords),
    ...(detail?.tree_truncated
      ? ["Samples are missing from the tree, so the shares do not add up to 100 %."]
      : []),
    ...(summary.owners_complete
      ? []
      : ["The list of owners is not complete: an owner that is not listed has an unknown share, not zero."]),
  ];
  if (notes.length === 0)
    return (
      <p>
        <State means="good">Complete</State> Every owner of at least 0.1 % is listed, and no samples are
        missing.
      </p>
    );
  return (
    <ul class="plain-list">
      {notes.map((note) => (
        <li key={note}>
          <State means="watch">Careful</State> <Text value={note} />
        </li>
      ))}
    </ul>
  );
}
