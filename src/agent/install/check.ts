import { SourceReader } from "../sources/read-source.ts";
import { merged } from "../sources/merge.ts";
import { oneLine } from "../one-line.ts";
import { isAnswer } from "../send/lifecycle-announcer.ts";
import { installFindings } from "./install-findings.ts";
import type { ServerInstall } from "./server-install.ts";
import type { Finding, Source } from "../sources/source.ts";
import type { Sources } from "../sources/open-sources.ts";

/** Time limit for the check of one source, ms. */
const checkingMs = 10_000;

/** Finds out which figures of a server can be read; `alive` if heartbeats would be sent. */
export async function checkSources(
  install: ServerInstall,
  { sources, watched }: Sources,
  now: number,
): Promise<{ readonly findings: readonly Finding[]; readonly alive: boolean }> {
  // Only the first finding: the sources report the others themselves.
  const [settings] = await installFindings(install);
  const findings = await Promise.all([...sources, ...watched].map(checkOne));
  const unknown: Finding[] = [];
  const process = await install.findProcess().catch((error: unknown) => {
    unknown.push({ able: false, about: "process", says: `It cannot be searched for (${oneLine(error)}).` });
    return null;
  });
  const asking = new SourceReader(sources, () => {});
  const answered = isAnswer(merged(await asking.read(now)));
  await asking.close();
  await Promise.allSettled(watched.map((source) => source.close()));
  return {
    findings: [...(settings ? [settings] : []), ...unknown, ...findings.flat()],
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
