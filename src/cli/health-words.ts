import { z } from "zod";
import { healthFindingNames, stepTexts } from "../core/health/finding-words.ts";
import { neutralise } from "../core/text/neutralise.ts";

/** A value before or after a change. */
const written = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** The fields that are used here. A newer service may send codes that are not known here. */
const Health = z.object({
  verdict: z.string(),
  headline: z.object({ text: z.string() }),
  since: z.string().nullable(),
  period: z.object({ from: z.string(), to: z.string() }),
  findings: z.array(
    z.object({
      code: z.string(),
      severity: z.string(),
      subject: z.string().nullable(),
      since: z.string().nullable(),
      since_is_at_least: z.boolean(),
      intermittent: z.boolean().default(false),
      evidence: z.array(
        z.object({ key: z.string(), value: z.number(), unit: z.string(), threshold: z.number().nullable() }),
      ),
      coincides_with: z.array(
        z.object({
          kind: z.string(),
          at: z.string(),
          subject: z.string().nullable(),
          from: written,
          to: written,
        }),
      ),
      next: z.array(
        z.object({ action: z.string(), tool: z.string().nullable(), page: z.string().nullable() }),
      ),
    }),
  ),
  more_findings: z.int(),
  not_measured: z.array(
    z.object({ field: z.string(), how: z.string().nullable(), available_from: z.string().nullable() }),
  ),
});
export type HealthRead = z.infer<typeof Health>;

/** Throws if the answer is not the health of a server. */
export function readHealth(value: unknown): HealthRead {
  const read = Health.safeParse(value);
  if (!read.success) throw new Error("The service answered what this version does not understand.");
  return read.data;
}

/** The longest line of other people's text, characters. */
const subjectCap = 120;

const inOneLine = (subject: string): string => neutralise(subject, subjectCap).text.replaceAll(/\s+/g, " ");

const words = (code: string): string => code.replaceAll("_", " ");

/** The sentences of the dashboard and the digest. Unknown codes of a newer service are shown as words. */
const sentences = new Map<string, string>(Object.entries({ ...healthFindingNames, ...stepTexts }));
const sentenceOf = (code: string): string => sentences.get(code) ?? words(code);

/** Counts have no unit. */
const inUnit = (value: number, unit: string): string =>
  unit === "count" ? String(value) : `${value} ${unit === "percent" ? "%" : unit}`;

/** Other people's text is shown with nothing hidden in it. */
export function wordsOfHealth(health: HealthRead): string[] {
  const { verdict, headline, since, findings, more_findings, not_measured } = health;
  const lines = [`${verdict}${since === null ? "" : ` since ${since}`}: ${headline.text}`];
  for (const finding of findings) lines.push("", ...wordsOfFinding(finding));
  if (more_findings > 0) lines.push("", `${more_findings} more findings are not listed.`);
  if (not_measured.length > 0)
    lines.push("", `Not measured: ${not_measured.map(unmeasuredWords).join(", ")}`);
  return lines;
}

function unmeasuredWords({ field, how, available_from }: HealthRead["not_measured"][number]): string {
  const more = [how && words(how), available_from && `from ${available_from.slice(0, 10)} on`].filter(
    Boolean,
  );
  return more.length === 0 ? words(field) : `${words(field)} (${more.join("; ")})`;
}

/** Such as `plugin updated: MarketStalls, 2.10.0 -> 2.10.1`. */
function changeWords({ kind, subject, from, to }: HealthRead["findings"][number]["coincides_with"][number]) {
  const values = [from, to].filter((value) => value !== null).map((value) => inOneLine(String(value)));
  const named = subject === null ? words(kind) : `${words(kind)}: ${inOneLine(subject)}`;
  return values.length === 0 ? named : `${named}, ${values.join(" -> ")}`;
}

function wordsOfFinding({
  code,
  severity,
  subject,
  since,
  since_is_at_least,
  intermittent,
  evidence,
  coincides_with,
  next,
}: HealthRead["findings"][number]) {
  const about = subject === null ? "" : ` (${inOneLine(subject)})`;
  const begun = since !== null ? `, since ${since}` : since_is_at_least ? ", in the whole period" : "";
  const breaks = intermittent ? ", with breaks" : "";
  const lines = [`${severity}: ${sentenceOf(code)}${about}${begun}${breaks}`];
  for (const { key, value, unit, threshold } of evidence)
    lines.push(
      `  ${words(key)} ${inUnit(value, unit)}${threshold === null ? "" : ` (threshold ${inUnit(threshold, unit)})`}`,
    );
  for (const change of coincides_with) lines.push(`  near its start: ${change.at} ${changeWords(change)}`);
  for (const { action, tool, page } of next) {
    const where = tool === null ? page : `tool ${tool}`;
    lines.push(`  next: ${sentenceOf(action)}${where === null ? "" : ` (${where})`}`);
  }
  return lines;
}
