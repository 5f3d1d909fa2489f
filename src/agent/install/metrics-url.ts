import { join } from "node:path";
import { headOrNull } from "../../linux/proc.ts";
import { portOf } from "./server-properties.ts";

/** Prometheus exporters by configuration file, with their default ports. */
const exporters: readonly { readonly file: string; readonly port: number }[] = [
  { file: join("plugins", "PrometheusExporter", "config.yml"), port: 9940 },
  { file: join("plugins", "UnifiedMetrics", "driver", "prometheus.yml"), port: 9100 },
  { file: join("config", "UnifiedMetrics", "driver", "prometheus.yml"), port: 9100 },
];

/** A configuration is a few lines, bytes. */
const largestConfiguration = 64 * 1024;

/** Null if no known exporter is installed. */
export async function metricsUrlOf(directory: string): Promise<string | null> {
  for (const { file, port } of exporters) {
    const text = await headOrNull(join(directory, file), largestConfiguration);
    if (text === null) continue;
    return `http://127.0.0.1:${portOf(metricValue(text, "port")) ?? port}/metrics`;
  }
  return null;
}

/** The first `key: value` of a YAML file at any depth; enough for files with one port. */
export function metricValue(text: string, key: string): string | undefined {
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (!trimmed.startsWith(`${key}:`)) continue;
    const [value = ""] = trimmed.slice(key.length + 1).split("#");
    return value.trim().replaceAll(/["']/g, "");
  }
  return undefined;
}
