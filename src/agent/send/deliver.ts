import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";
import { parseInstant, type Instant } from "../../core/time.ts";
import { gapEvent } from "./gap-event.ts";
import type { Entry } from "./queue-file.ts";
import type { Batch, Queue } from "./queue.ts";
import type { SendOutcome, ServiceClient } from "./service-client.ts";
import type { ServiceTime } from "./service-time.ts";
import type { Steady } from "./steady.ts";

/** Entries per request body. */
const most = { samples: 1000, events: 500 } as const;

/** "all": nothing is left; otherwise the rest waits for the service, or for its owner. */
export type Delivered = "all" | "not reached" | "not accepted";

interface Answer {
  readonly accepted: boolean;
  readonly too_old: number;
}

interface WaitingDelivery {
  readonly queue: Queue;
  readonly service: ServiceClient;
  readonly time: ServiceTime;
  readonly steady: () => Steady;
}

/** Entries that the service will never take are given up and counted. */
async function deliverBatch(batch: Batch, { queue, service, time }: WaitingDelivery): Promise<Delivered> {
  const lost: Entry[] = [];
  const entries = batch.entries.map((entry) => time.placed(entry));
  const samples = entries.filter((entry) => "sample" in entry);
  const events = entries.filter((entry) => "event" in entry);
  const sendSamples = (part: typeof samples): Promise<SendOutcome<Answer>> =>
    service.send((client) => client.samples(part.map(({ sample }): SampleBody => sample)));
  const sendEvents = (part: typeof events): Promise<SendOutcome<Answer>> =>
    service.send((client) => client.events(part.map(({ event }): EventBody => event)));
  for (const part of chunks(samples, most.samples)) {
    const ended = await sendPart(part, sendSamples, lost);
    if (ended !== "all") return ended;
  }
  for (const part of chunks(events, most.events)) {
    const ended = await sendPart(part, sendEvents, lost);
    if (ended !== "all") return ended;
  }
  await queue.giveUp(lost);
  await batch.settle();
  return "all";
}

const timeOf = (entry: Entry): Instant =>
  parseInstant("sample" in entry ? entry.sample.sampled_at : (entry.event.timestamp ?? "")) ?? entry.at;

/** Splits a refused body into halves until the faulty entry is alone. */
async function sendPart<E extends Entry>(
  part: readonly E[],
  send: (part: E[]) => Promise<SendOutcome<Answer>>,
  lost: Entry[],
): Promise<Delivered> {
  const sent = await send([...part]);
  if (sent.kind === "failed") return "not reached";
  if (sent.kind === "answered") {
    if (!sent.answer.accepted) return "not accepted";
    // The service says only how many were too old, so the oldest ones count as lost.
    const oldestFirst = part.toSorted((one, other) => timeOf(one) - timeOf(other));
    lost.push(...oldestFirst.slice(0, sent.answer.too_old));
    return "all";
  }
  if (part.length === 1) {
    lost.push(...part);
    return "all";
  }
  const middle = Math.ceil(part.length / 2);
  const first = await sendPart(part.slice(0, middle), send, lost);
  return first === "all" ? sendPart(part.slice(middle), send, lost) : first;
}

function chunks<E>(entries: readonly E[], size: number): E[][] {
  const parts: E[][] = [];
  for (let from = 0; from < entries.length; from += size) parts.push(entries.slice(from, from + size));
  return parts;
}

/** Sends waiting entries, oldest first, then the gap. Resolves with the number of samples delivered. */
export async function deliverWaiting(delivery: WaitingDelivery): Promise<number> {
  const { queue, service, time, steady } = delivery;
  let delivered = 0;
  for (let batch = await queue.oldest(); batch; batch = await queue.oldest()) {
    if (!time.isAsked && !(await learnTime(service, time, steady))) break;
    if ((await deliverBatch(batch, delivery)) !== "all") break;
    delivered += batch.entries.filter((entry) => "sample" in entry).length;
  }
  await reportGap(queue, service);
  return delivered;
}

/** The answer to a request without samples has the service's time. */
async function learnTime(service: ServiceClient, time: ServiceTime, steady: () => Steady): Promise<boolean> {
  const sent = await service.send((client) => client.samples([]));
  if (sent.kind === "answered") time.note(sent.answer.server_time, steady());
  return sent.kind !== "failed";
}

async function reportGap(queue: Queue, service: ServiceClient): Promise<void> {
  const { gap } = queue;
  if (!gap) return;
  const sent = await service.send((client) => client.events([gapEvent(gap)]));
  if (sent.kind === "refused" || (sent.kind === "answered" && sent.answer.accepted)) await queue.forget(gap);
}
