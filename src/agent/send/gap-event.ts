import { toTimestamp } from "../../core/time.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import type { QueueGap } from "./queue-file.ts";

/** Such as `3 samples, 1 event`. */
const wordsOf = ({ samples, events, damaged, unread_files }: QueueGap): string => {
  const kinds: readonly (readonly [number, string, string])[] = [
    [samples, "sample", "samples"],
    [events, "event", "events"],
    [damaged, "damaged line", "damaged lines"],
    [unread_files, "file that could not be read", "files that could not be read"],
  ];
  const counted = kinds.filter(([count]) => count > 0);
  return counted.map(([count, one, more]) => `${count} ${count === 1 ? one : more}`).join(", ");
};

export const gapEvent = (gap: QueueGap): EventBody => ({
  // A gap that is sent twice is one event; a wider gap is another.
  local_id: `agent-gap-${Math.floor(gap.from)}-${Math.floor(gap.to)}-${gap.samples}-${gap.events}-${gap.damaged}-${gap.unread_files}`,
  type: "agent_gap",
  category: "custom",
  source: "tickmark-agent",
  severity: "warning",
  title: `Given up before it reached the service: ${wordsOf(gap)}`,
  description:
    "This waited too long, needed too much space on the disk of the game server, was damaged there, or was refused because of its times or values.",
  metadata: {
    samples: gap.samples,
    events: gap.events,
    damaged_lines: gap.damaged,
    unread_files: gap.unread_files,
    from: toTimestamp(gap.from),
    to: toTimestamp(gap.to),
  },
  timestamp: null,
  duration_ms: Math.max(0, Math.round(gap.to - gap.from)),
});
