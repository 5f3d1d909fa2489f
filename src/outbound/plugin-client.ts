import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { z } from "zod";
import { withoutTrailingSlash } from "../core/address.ts";
import type { ReportedEvent } from "../core/event/reported-event.ts";
import type { MemoryDocument } from "../core/memory-report/document.ts";
import type { ReportedSample } from "../core/metric/reported-sample.ts";
import type { ProfileDocument, ProfileFileTrigger } from "../core/profile/document.ts";
import type { ReportPayload } from "../core/report/payload.ts";
import type { ServerFacts } from "../core/server/link-code.ts";
import { SiteStep } from "../core/server/status.ts";
import type { SoftwareInventory } from "../core/software/inventory.ts";
import type { UnitTestUpload } from "../core/unit-test/upload.ts";
import { post } from "./post.ts";

export type SampleBody = z.input<typeof ReportedSample>;
export type ReportBody = z.input<typeof ReportPayload>;
export type UnitTestBody = z.input<typeof UnitTestUpload>;
export type EventBody = z.input<typeof ReportedEvent>;
export type ProfileBody = z.input<typeof ProfileDocument>;
export type MemoryReportBody = z.input<typeof MemoryDocument>;

export type SoftwareBody = z.input<typeof SoftwareInventory>;

export interface LinkCodeBody {
  /** A UUID that stays the same for one server installation. */
  readonly installation_id: string;
  readonly server?: z.input<typeof ServerFacts>;
}

export interface HeartbeatBody {
  readonly sent_at: string;
  readonly boot_timestamp: string | null;
  readonly plugin_version: string;
  readonly last_tick_age_ms: number | null;
  readonly announce: "stopping" | "monitoring_paused" | "monitoring_resumed" | null;
  readonly sample: SampleBody | null;
}

/** Fields that a newer service adds are ignored. */
export const LinkCodeAnswer = z.object({
  code: z.string(),
  claim_secret: z.string(),
  expires_at: z.string(),
  poll_after_seconds: z.number(),
});
export const ClaimAnswer = z.union([
  z.object({ status: z.literal("linked"), server_id: z.string(), auth_token: z.string() }),
  z.object({ status: z.literal("pending") }),
]);
export const HeartbeatAnswer = z.object({
  accepted: z.boolean(),
  site_step: SiteStep,
  heartbeat_seconds: z.number(),
  server_time: z.string(),
  collect: z.array(z.string()),
});
export const SamplesAnswer = z.object({
  accepted: z.boolean(),
  stored: z.number(),
  duplicates: z.number(),
  too_old: z.number(),
  /** Missing from older services. */
  server_time: z.string().exactOptional(),
});
export const EventsAnswer = z.object({
  accepted: z.boolean(),
  stored: z.number(),
  duplicates: z.number(),
  too_old: z.number(),
});
export const SoftwareAnswer = z.object({ accepted: z.boolean(), changes: z.number() });
export const UnitTestsAnswer = z.object({ ids: z.array(z.string()) });
export const ReportAnswer = z.object({ id: z.string(), short_id: z.string(), url: z.string() });
export const ProfileAnswer = z.object({ summary_id: z.string(), profile_id: z.string().nullable() });
export const UploadedMemoryReport = z.object({ id: z.string() });

/** An error (4xx, 5xx), or an answer that is not of the plugin API. */
export class PluginApiError extends Error {
  readonly status: number;
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
  /** Null if the answer has no Retry-After. */
  readonly retryAfterSeconds: number | null;

  constructor(path: string, status: number, body: unknown, retryAfterSeconds: number | null = null) {
    super(`${path} answered ${status}: ${typeof body === "string" ? body : JSON.stringify(body)}`);
    this.name = "PluginApiError";
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type ProfileFileType = "application/x-spark-sampler";
export type MemoryFileType = "application/x-spark-heap" | "text/x-java-class-histogram";

export interface PluginClient {
  requestLinkCode(body: LinkCodeBody): Promise<z.output<typeof LinkCodeAnswer>>;
  claim(claimSecret: string): Promise<z.output<typeof ClaimAnswer>>;
  heartbeat(body: HeartbeatBody): Promise<z.output<typeof HeartbeatAnswer>>;
  /** At most 1000 samples a call. */
  samples(samples: readonly SampleBody[]): Promise<z.output<typeof SamplesAnswer>>;
  /** At most 500 events a call. */
  events(events: readonly EventBody[]): Promise<z.output<typeof EventsAnswer>>;
  /** The whole inventory; sending the same one again changes nothing. */
  software(inventory: SoftwareBody): Promise<z.output<typeof SoftwareAnswer>>;
  uploadReport(body: ReportBody): Promise<z.output<typeof ReportAnswer>>;
  /** At most 100 tests a call. */
  uploadUnitTests(tests: readonly UnitTestBody[]): Promise<z.output<typeof UnitTestsAnswer>>;
  uploadProfile(body: ProfileBody): Promise<z.output<typeof ProfileAnswer>>;
  uploadMemoryReport(body: MemoryReportBody): Promise<z.output<typeof UploadedMemoryReport>>;
  /** At most 16 MiB once decompressed. */
  uploadProfileFile(
    file: Uint8Array,
    type: ProfileFileType,
    trigger?: ProfileFileTrigger,
  ): Promise<z.output<typeof ProfileAnswer>>;
  uploadMemoryFile(file: Uint8Array, type: MemoryFileType): Promise<z.output<typeof UploadedMemoryReport>>;
}

export interface PluginClientOptions {
  readonly gzip?: boolean;
  /** The longest silence before or within an answer, ms. */
  readonly quietMs?: number;
}

const usualQuietMs = 10_000;
/** Shorter bodies would not save a packet, bytes. */
const gzipFrom = 1400;
const gzipped = promisify(gzip);

/**
 * `credential` is the server's `auth_token`; only the two calls that link need none. Rejects with
 * PluginApiError for an answer, and with the network's error otherwise.
 */
export function pluginClient(
  baseUrl: string,
  credential: string | null = null,
  { gzip: zips = false, quietMs = usualQuietMs }: PluginClientOptions = {},
): PluginClient {
  const root = `${withoutTrailingSlash(baseUrl)}/plugin/v1`;
  const authorization = credential === null ? {} : { authorization: `Bearer ${credential}` };
  const sendBytes = async <T>(
    path: string,
    type: string,
    bytes: Uint8Array,
    form: z.ZodType<T>,
    method: "POST" | "PUT" = "POST",
  ): Promise<T> => {
    const zip = zips && bytes.length >= gzipFrom;
    const headers = { "content-type": type, ...authorization, ...(zip && { "content-encoding": "gzip" }) };
    const sent = zip ? await gzipped(bytes) : bytes;
    const { status, text, retryAfterSeconds } = await post(
      new URL(root + path),
      headers,
      sent,
      quietMs,
      method,
    );
    const value = jsonOrText(text);
    const read = status < 300 ? form.safeParse(value) : null;
    if (!read?.success) throw new PluginApiError(path, status, value, retryAfterSeconds);
    return read.data;
  };
  const send = <T>(path: string, body: unknown, form: z.ZodType<T>, method?: "POST" | "PUT"): Promise<T> =>
    sendBytes(path, "application/json", Buffer.from(JSON.stringify(body)), form, method);
  return {
    requestLinkCode: (body) => send("/link-codes", body, LinkCodeAnswer),
    claim: (claimSecret) => send("/link-codes/claim", { claim_secret: claimSecret }, ClaimAnswer),
    heartbeat: (body) => send("/heartbeat", body, HeartbeatAnswer),
    samples: (samples) => send("/samples", { samples }, SamplesAnswer),
    events: (events) => send("/events", { events }, EventsAnswer),
    software: (inventory) => send("/software", inventory, SoftwareAnswer, "PUT"),
    uploadReport: (body) => send("/reports", body, ReportAnswer),
    uploadUnitTests: (tests) => send("/unit-tests", tests, UnitTestsAnswer),
    uploadProfile: (body) => send("/profiles", body, ProfileAnswer),
    uploadMemoryReport: (body) => send("/memory-reports", body, UploadedMemoryReport),
    uploadProfileFile: (file, type, trigger = "import") =>
      sendBytes(
        trigger === "import" ? "/profiles" : `/profiles?trigger=${trigger}`,
        type,
        file,
        ProfileAnswer,
      ),
    uploadMemoryFile: (file, type) => sendBytes("/memory-reports", type, file, UploadedMemoryReport),
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
