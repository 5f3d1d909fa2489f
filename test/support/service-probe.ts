import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ServiceProcess } from "./service-process.ts";

/** The environment in which a service answers what is asked below; the path is also right in a script two folders deep. */
export const probed = {
  NODE_OPTIONS: `--import ${fileURLToPath(new URL("../../test/support/service-probe.mjs", import.meta.url))}`,
};

async function answerOf({ process: service }: ServiceProcess, message: string): Promise<unknown> {
  service.send(message);
  const [answer] = (await once(service, "message")) as [unknown];
  return answer;
}

/** The service's memory after it collected all garbage, which stops it for some tens of ms. */
export const memoryOf = async (service: ServiceProcess): Promise<NodeJS.MemoryUsage> =>
  (await answerOf(service, "heap")) as NodeJS.MemoryUsage;

/** Samples where the service's time goes, until `endProfile` writes the profile into a file. */
export async function beginProfile(service: ServiceProcess): Promise<void> {
  await answerOf(service, "profile");
}

export async function endProfile(service: ServiceProcess, file: string): Promise<void> {
  await answerOf(service, file);
}
