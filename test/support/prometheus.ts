import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runProgram, type RunningProgram } from "./programs.ts";

export const monitoringFolder = resolve("resources/monitoring");

interface Scraping {
  /** A folder of its own, which exists. */
  readonly folder: string;
  /** The port on which Prometheus answers. */
  readonly port: number;
  /** The port of the service's metrics. */
  readonly metricsPort: number;
  /** The token of the metrics; left out: none is needed. */
  readonly token?: string;
  /** How often it scrapes and evaluates rules; left out: as the shipped configuration says. */
  readonly every?: string;
}

/** The Prometheus of the distribution with the configuration in `resources/monitoring`, but for ports and paths. */
export function startPrometheus({ folder, port, metricsPort, token, every }: Scraping): RunningProgram {
  const shipped = readFileSync(join(monitoringFolder, "prometheus.yml"), "utf8")
    .replace("127.0.0.1:9464", `127.0.0.1:${metricsPort}`)
    .replace("tickmark-alerts.yml", join(monitoringFolder, "tickmark-alerts.yml"));
  const timed = every === undefined ? shipped : shipped.replaceAll("15s", every);
  const config = join(folder, "prometheus.yml");
  const tokenFile = join(folder, "token");
  if (token !== undefined) writeFileSync(tokenFile, token);
  writeFileSync(
    config,
    token === undefined
      ? timed
      : timed.replaceAll("    # ", "    ").replace("/etc/prometheus/tickmark-token", tokenFile),
  );
  return runProgram("prometheus", [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
}

export interface PrometheusAnswer {
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One request to its API, such as `/rules`. */
export const prometheusApi = async (port: number, path: string): Promise<PrometheusAnswer> =>
  (await (await fetch(`http://127.0.0.1:${port}/api/v1${path}`)).json()) as PrometheusAnswer;

/** A series of an answer: its labels, with its value now or its values over time, as seconds and number. */
export interface PrometheusSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

export const prometheusQuery = async (port: number, expression: string): Promise<PrometheusSeries[]> => {
  const { data } = await prometheusApi(port, `/query?query=${encodeURIComponent(expression)}`);
  return data["result"] as PrometheusSeries[];
};

export interface EvaluatedRule {
  readonly name: string;
  readonly health: string;
  readonly state: string;
  readonly lastError?: string;
}

export async function prometheusRules(port: number): Promise<EvaluatedRule[]> {
  const { data } = await prometheusApi(port, "/rules");
  return (data["groups"] as { rules: EvaluatedRule[] }[]).flatMap(({ rules }) => rules);
}
