import { z } from "zod";
import { neutralise } from "../core/text/neutralise.ts";

/** What is read of the health of a server; a newer service may say more, in codes that are not known here. */
const Health = z.object({
  verdict: z.string(),
  headline: z.object({ text: z.string() }),
  since: z.string().nullable(),
  period: z.object({ from: z.string(), to: z.string() }),
  findings: z.array(
    z.object({
      code: z.string(),
      severity: z.string(),
      since: z.string().nullable(),
      evidence: z.array(
        z.object({ key: z.string(), value: z.number(), unit: z.string(), threshold: z.number().nullable() }),
      ),
      coincides_with: z.array(
        z.object({ at: z.string(), subject: z.string().nullable(), minutes_before: z.number() }),
      ),
      next: z.array(z.object({ action: z.string(), tool: z.string().nullable() })),
    }),
  ),
  more_findings: z.int(),
  not_measured: z.array(z.object({ field: z.string(), how: z.string().nullable() })),
});
export type HealthRead = z.infer<typeof Health>;

/** Throws where the answer is not the health of a server. */
export function readHealth(value: unknown): HealthRead {
  const read = Health.safeParse(value);
  if (!read.success) throw new Error("The service answered what this version does not understand.");
  return read.data;
}

/** The longest line of other people's text, characters. */
const subjectCap = 120;

const inOneLine = (subject: string): string => neutralise(subject, subjectCap).text.replaceAll(/\s+/g, " ");

const words = (code: string): string => code.replaceAll("_", " ");

/** A figure with its unit; what is counted has none. */
const inUnit = (value: number, unit: string): string =>
  unit === "count" ? String(value) : `${value} ${unit === "percent" ? "%" : unit}`;

/** The health of a server in lines for a terminal; text of others has nothing hidden in it. */
export function wordsOfHealth(health: HealthRead): string[] {
  const { verdict, headline, since, findings, more_findings, not_measured } = health;
  const lines = [`${verdict}${since === null ? "" : ` since ${since}`}: ${headline.text}`];
  for (const finding of findings) lines.push("", ...wordsOfFinding(finding));
  if (more_findings > 0) lines.push("", `${more_findings} more findings are not listed.`);
  if (not_measured.length > 0)
    lines.push(
      "",
      `Not measured: ${not_measured.map(({ field, how }) => (how === null ? field : `${field} (${words(how)})`)).join(", ")}`,
    );
  return lines;
}

function wordsOfFinding({
  code,
  severity,
  since,
  evidence,
  coincides_with,
  next,
}: HealthRead["findings"][number]) {
  const lines = [`${severity}: ${words(code)}${since === null ? "" : `, since ${since}`}`];
  for (const { key, value, unit, threshold } of evidence)
    lines.push(
      `  ${words(key)} ${inUnit(value, unit)}${threshold === null ? "" : ` (threshold ${inUnit(threshold, unit)})`}`,
    );
  for (const { at, subject } of coincides_with)
    lines.push(`  at the same time: ${at} ${inOneLine(subject ?? "a change")}`);
  for (const { action, tool } of next)
    lines.push(`  next: ${words(action)}${tool === null ? "" : ` (tool ${tool})`}`);
  return lines;
}
