import { SourceReader } from "../sources/read-source.ts";
import { merged } from "../sources/merge.ts";
import { oneLine } from "../one-line.ts";
import { isAnswer } from "../send/lifecycle-announcer.ts";
import { installFindings } from "./install-findings.ts";
import type { ServerInstall } from "./server-install.ts";
import type { Finding, Source } from "../sources/source.ts";
import type { Sources } from "../sources/open-sources.ts";

/** So long a source has to find out what it can read, ms. */
const checkingMs = 10_000;

/** What can be read of a server and what cannot, and whether it is there now, so that heartbeats would be sent. */
export async function checkSources(
  place: ServerInstall,
  { sources, watched }: Sources,
  now: number,
): Promise<{ readonly findings: readonly Finding[]; readonly alive: boolean }> {
  // The sources tell the rest of these themselves, for they have tried it.
  const [settings] = await installFindings(place);
  const findings = await Promise.all([...sources, ...watched].map(checkOne));
  const process = await place.findProcess().catch(() => null);
  const asking = new SourceReader(sources, () => {});
  const answered = isAnswer(merged(await asking.read(now)));
  await asking.close();
  await Promise.allSettled(watched.map((source) => source.close()));
  return {
    findings: [...(settings ? [settings] : []), ...findings.flat()],
    alive: process !== null || answered,
  };
}

async function checkOne(source: Source): Promise<readonly Finding[]> {
  try {
    return await source.check(AbortSignal.timeout(checkingMs));
  } catch (error) {
    return [{ able: false, about: source.name, says: `${oneLine(error)}.` }];
  }
}
