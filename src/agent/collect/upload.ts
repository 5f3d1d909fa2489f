import type { Instant } from "../../core/time.ts";
import type { ProfileFileTrigger } from "../../core/profile/document.ts";
import { PluginApiError, type PluginClient } from "../../outbound/plugin-client.ts";
import { collectClassHistogram } from "./class-histogram.ts";
import type { Collected } from "./collected.ts";
import { sparkFolder, type SparkFolder } from "./spark-folder.ts";
import type { Collect } from "./on-demand.ts";
import type { ServerInstall } from "../install/server-install.ts";

export interface Captures {
  /** What the owner requests: a class histogram of the JVM, or the files that spark saved. */
  readonly onRequest: Collect;
  /** The profiles that spark saved since `since`, marked as those of a lag; null if there is none. */
  readonly ofLag: (since: Instant) => Promise<string | null>;
}

/** Captures of this server. Both ways share which files were uploaded. */
export function capturesOf(install: ServerInstall, client: PluginClient, clock: () => Instant): Captures {
  const spark = sparkFolder(install, clock());
  const uploadAll = async (
    { found, tooLarge }: Awaited<ReturnType<SparkFolder["findNew"]>>,
    trigger: ProfileFileTrigger,
  ): Promise<string | null> => {
    const done: string[] = [];
    for (const [index, file] of found.entries()) {
      try {
        done.push(await upload(file, client, trigger));
      } catch (error) {
        // A refused file is not tried again; the other files wait for the next request.
        for (const left of found.slice(isRefused(error) ? index + 1 : index)) spark.again(left);
        throw error;
      }
    }
    if (tooLarge.length > 0) done.push(`${tooLarge.join(", ")}: longer than the service takes`);
    return done.length === 0 ? null : done.join("; ");
  };
  return {
    onRequest: async (what, signal) =>
      what === "class_histogram"
        ? upload(await collectClassHistogram(install, signal), client)
        : uploadAll(await spark.findNew(clock()), "import"),
    ofLag: async (since) => uploadAll(await spark.findNew(clock(), { since, kind: "profile" }), "lag"),
  };
}

const isRefused = (error: unknown): boolean =>
  error instanceof PluginApiError && [400, 413, 415].includes(error.status);

async function upload(
  { kind, contentType, body, localName }: Collected,
  client: PluginClient,
  trigger: ProfileFileTrigger = "import",
): Promise<string> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (contentType === "application/x-spark-sampler")
    await client.uploadProfileFile(bytes, contentType, trigger);
  else if (contentType === "application/x-spark-heap" || contentType === "text/x-java-class-histogram")
    await client.uploadMemoryFile(bytes, contentType);
  else throw new Error(`the service does not take ${contentType}`);
  return `the ${kind} ${localName} was uploaded`;
}
