import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";
import { toTimestamp } from "../../core/time.ts";
import type { Entry, QueueGap } from "./queue-file.ts";
import type { Batch, Queue } from "./queue.ts";
import type { SendOutcome, ServiceClient } from "./service-client.ts";

/** The most entries of one body. */
const most = { samples: 1000, events: 500 } as const;

/** How a delivery ended: all of it is settled, or what is left waits for the service or for its owner. */
export type Delivered = "all" | "not reached" | "not accepted";

interface Answer {
  readonly accepted: boolean;
}

/** Sends the entries of a batch; entries that the service refuses for good are given up and counted. */
async function deliverBatch(batch: Batch, queue: Queue, service: ServiceClient): Promise<Delivered> {
  const refused: Entry[] = [];
  const samples = batch.entries.filter((entry) => "sample" in entry);
  const events = batch.entries.filter((entry) => "event" in entry);
  const sendSamples = (part: typeof samples): Promise<SendOutcome<Answer>> =>
    service.send((client) => client.samples(part.map(({ sample }): SampleBody => sample)));
  const sendEvents = (part: typeof events): Promise<SendOutcome<Answer>> =>
    service.send((client) => client.events(part.map(({ event }): EventBody => event)));
  for (const part of chunks(samples, most.samples)) {
    const ended = await sendPart(part, sendSamples, refused);
    if (ended !== "all") return ended;
  }
  for (const part of chunks(events, most.events)) {
    const ended = await sendPart(part, sendEvents, refused);
    if (ended !== "all") return ended;
  }
  await queue.giveUp(refused);
  await batch.settle();
  return "all";
}

/** A refused body is sent again in halves, until what is at fault stands alone. */
async function sendPart<E extends Entry>(
  part: readonly E[],
  send: (part: E[]) => Promise<SendOutcome<Answer>>,
  refused: Entry[],
): Promise<Delivered> {
  const sent = await send([...part]);
  if (sent.kind === "failed") return "not reached";
  if (sent.kind === "answered") return sent.answer.accepted ? "all" : "not accepted";
  if (part.length === 1) {
    refused.push(...part);
    return "all";
  }
  const middle = Math.ceil(part.length / 2);
  const first = await sendPart(part.slice(0, middle), send, refused);
  return first === "all" ? sendPart(part.slice(middle), send, refused) : first;
}

function chunks<E>(entries: readonly E[], size: number): E[][] {
  const parts: E[][] = [];
  for (let from = 0; from < entries.length; from += size) parts.push(entries.slice(from, from + size));
  return parts;
}

/** Sends what waits, oldest first, then reports what was given up; answers how many samples were delivered. */
export async function deliverWaiting(queue: Queue, service: ServiceClient): Promise<number> {
  let delivered = 0;
  for (let batch = await queue.oldest(); batch; batch = await queue.oldest()) {
    if ((await deliverBatch(batch, queue, service)) !== "all") break;
    delivered += batch.entries.filter((entry) => "sample" in entry).length;
  }
  await reportGap(queue, service);
  return delivered;
}

/** Reports the entries that were given up as an event, and forgets the gap once the event arrived. */
async function reportGap(queue: Queue, service: ServiceClient): Promise<void> {
  const { gap } = queue;
  if (!gap) return;
  const sent = await service.send((client) => client.events([eventOf(gap)]));
  if (sent.kind === "refused" || (sent.kind === "answered" && sent.answer.accepted)) await queue.forget(gap);
}

const eventOf = ({ samples, events, from, to }: QueueGap): EventBody => ({
  // The same gap sent twice is one event; a wider one is another.
  local_id: `agent-gap-${from}-${to}-${samples}-${events}`,
  type: "agent_gap",
  category: "custom",
  source: "tickmark-agent",
  severity: "warning",
  title: `${samples} samples and ${events} events were deleted before they reached the service`,
  description:
    "They waited too long, needed too much space on the disk of the game server, or were refused because of their times or values.",
  metadata: { samples, events, from: toTimestamp(from), to: toTimestamp(to) },
  timestamp: null,
  duration_ms: Math.max(0, to - from),
});
