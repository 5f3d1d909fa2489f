import type { Instant } from "../../core/time.ts";
import { PluginApiError, type PluginClient } from "../../outbound/plugin-client.ts";
import { collectClassHistogram } from "./class-histogram.ts";
import type { Collected } from "./collected.ts";
import { sparkFolder } from "./spark-folder.ts";
import type { Collect } from "./on-demand.ts";
import type { ServerInstall } from "../install/server-install.ts";

/** Captures of this server: a class histogram of its JVM, and the files that its spark saved. */
export function uploadCollector(install: ServerInstall, client: PluginClient, clock: () => Instant): Collect {
  const spark = sparkFolder(install, clock());
  return async (what, signal) => {
    if (what === "class_histogram") return upload(await collectClassHistogram(install, signal), client);
    const { found, tooLarge } = await spark.findNew(clock());
    const done: string[] = [];
    for (const [index, file] of found.entries()) {
      try {
        done.push(await upload(file, client));
      } catch (error) {
        // A refused file is not tried again; the other files wait for the next request.
        for (const left of found.slice(isRefused(error) ? index + 1 : index)) spark.again(left);
        throw error;
      }
    }
    if (tooLarge.length > 0) done.push(`${tooLarge.join(", ")}: longer than the service takes`);
    return done.length === 0 ? null : done.join("; ");
  };
}

const isRefused = (error: unknown): boolean =>
  error instanceof PluginApiError && [400, 413, 415].includes(error.status);

async function upload(
  { kind, contentType, body, localName }: Collected,
  client: PluginClient,
): Promise<string> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (contentType === "application/x-spark-sampler") await client.uploadProfileFile(bytes, contentType);
  else if (contentType === "application/x-spark-heap" || contentType === "text/x-java-class-histogram")
    await client.uploadMemoryFile(bytes, contentType);
  else throw new Error(`the service does not take ${contentType}`);
  return `the ${kind} ${localName} was uploaded`;
}
