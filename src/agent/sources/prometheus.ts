import { getText } from "./get-text.ts";
import type { ServerInstall } from "../install/server-install.ts";
import type { Measured, Source } from "./source.ts";
import { readExposition, ticksBetween, type Counters } from "./prometheus-figures.ts";

/** An exporter answers from memory, ms. */
const patienceMs = 5000;
/** An exporter with a series for every player may be large, bytes. */
const longestAnswer = 8 * 1024 * 1024;

export function prometheusSource(install: ServerInstall): Source {
  const { metricsUrl } = install;
  let before: Counters | null = null;

  const measure = async (signal: AbortSignal): Promise<Measured> => {
    if (metricsUrl === null) return {};
    const text = await answerOf(metricsUrl, signal);
    const { measured, counters } = readExposition(text, install, performance.now());
    const last = before;
    before = counters;
    return { ...measured, ...(last && counters && ticksBetween(last, counters)) };
  };

  return {
    name: "Prometheus exporter",
    async check(signal) {
      const about = "Prometheus exporter";
      if (metricsUrl === null)
        return [
          {
            able: false,
            about,
            says: "No exporter is known here; a plugin such as minecraft-prometheus-exporter adds one.",
          },
        ];
      try {
        const fields = Object.keys(await measure(signal));
        const hasTicks = before !== null;
        if (fields.length === 0 && !hasTicks)
          return [
            { able: false, about, says: "The exporter answers, but has no metric of a Minecraft server." },
          ];
        return [
          {
            able: true,
            about,
            says: `Tells ${[...fields, ...(hasTicks ? ["tps", "mspt"] : [])].join(", ")}.`,
          },
        ];
      } catch (error) {
        return [{ able: false, about, says: error instanceof Error ? error.message : "It cannot be read." }];
      }
    },
    read: async (_now, signal) => ({ measured: await measure(signal) }),
    async close() {},
  };
}

async function answerOf(url: string, signal: AbortSignal): Promise<string> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const accept = "text/plain;version=0.0.4";
  const { status, text } = await getText(url, { signal: within, most: longestAnswer, accept }).catch(() => {
    throw new Error("The exporter cannot be reached.");
  });
  if (status !== 200) throw new Error(`The exporter answers ${status}.`);
  if (text === null) throw new Error("The exporter's answer is too long.");
  return text;
}
