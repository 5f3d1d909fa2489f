import { healthFindingNames, stepTexts } from "../health/finding-words.ts";
import { healthVerdicts } from "../health/health.ts";
import type { Message } from "../notice/message.ts";
import type { MessageChannel } from "../notice/channel.ts";
import { shownName } from "../text/plain-words.ts";
import { changeWords } from "./change-words.ts";
import { availabilityWords, fleetAvailability } from "./digest-availability.ts";
import type { DigestFacts, DigestServer } from "./facts.ts";
import { fitSections, sectionLines, type DigestSection } from "./fit-sections.ts";
import { weekFindings } from "./week-findings.ts";
import { counted, shownMinute } from "./words.ts";

interface DigestForm {
  readonly servers: number;
  readonly findings: number;
  readonly changes: number;
  readonly steps: number;
  /** Code points. */
  readonly name: number;
  /** For all sections, as `costOf` counts. */
  readonly budget: number;
  readonly costOf: (text: string) => number;
  /** How to switch the digest off; `link` is the page for it. */
  readonly ending: string;
  readonly link: string;
}

/** An upper bound for the length after the escapes of any chat platform. */
function chatCost(text: string): number {
  let cost = 0;
  for (const character of text) {
    if (character === "&") cost += 5;
    else if (character === "<" || character === ">") cost += 4;
    else cost += /[!-/:-@[-`{-~]/.test(character) ? 2 : character.length;
  }
  return cost;
}

export const digestPath = "/digest";

const forms: Readonly<Record<MessageChannel, DigestForm>> = {
  email: {
    servers: 10,
    findings: 10,
    changes: 10,
    steps: 5,
    name: 60,
    budget: 5000,
    costOf: (text) => text.length,
    ending: "Switch this digest off, or read it in the browser, under Settings, Notifications:",
    link: "/settings/notifications",
  },
  chat: {
    servers: 5,
    findings: 5,
    changes: 5,
    steps: 3,
    name: 32,
    budget: 2200,
    costOf: chatCost,
    ending: "Switch this digest off under Settings, Notifications.",
    link: digestPath,
  },
};

/** From this many alerts in a week a rule gets a next step. */
const noisyFrom = 10;

const nameOf = (name: string | null, cap: number): string =>
  name === null ? "A server without a name" : shownName(name, cap);

/** Servers within the plan's quota. */
const monitoredOf = ({ totals }: DigestFacts): number => totals.servers - totals.not_monitored;

const incidentsOf = ({ servers }: DigestFacts): number =>
  servers.reduce((sum, { availability }) => sum + availability.incidents, 0);

/** The worst of: down or critical now, open alerts, outages of the week, findings now and of the week. */
function titleOf(facts: DigestFacts): string {
  const { down, critical, degraded, unknown } = facts.totals;
  const servers = counted(monitoredOf(facts), "server");
  const ill = critical + degraded;
  if (down > 0) return `Weekly digest: ${down} of ${servers} down${ill > 0 ? `, ${ill} with problems` : ""}`;
  if (critical > 0) return `Weekly digest: ${ill} of ${servers} with problems`;
  if (facts.openAlerts > 0) return `Weekly digest: ${counted(facts.openAlerts, "open alert")}, ${servers}`;
  const outages = incidentsOf(facts);
  if (outages > 0) return `Weekly digest: ${counted(outages, "outage")} in the week, ${servers}`;
  if (degraded > 0) return `Weekly digest: ${degraded} of ${servers} with problems`;
  const found = weekFindings(facts).length;
  if (found > 0) return `Weekly digest: ${counted(found, "finding")} in the week, ${servers}`;
  if (unknown === monitoredOf(facts)) return `Weekly digest: nothing is known of ${servers}`;
  if (unknown > 0)
    return `Weekly digest: nothing is wrong with ${monitoredOf(facts) - unknown} of ${servers}, ${unknown} unknown`;
  return `Weekly digest: nothing is wrong with ${servers}`;
}

function toneOf(facts: DigestFacts): Message["tone"] {
  const { totals, openAlerts } = facts;
  if (totals.down + totals.critical > 0) return "bad";
  const isNews = openAlerts + incidentsOf(facts) + weekFindings(facts).length > 0;
  return isNews || totals.degraded + totals.unknown > 0 ? "info" : "good";
}

function summaryLines(facts: DigestFacts): string[] {
  const { from, to, totals, servers, isComplete } = facts;
  const verdicts = healthVerdicts.flatMap((verdict) =>
    totals[verdict] > 0 ? [`${totals[verdict]} ${verdict}`] : [],
  );
  return [
    `The week from ${shownMinute(from)} to ${shownMinute(to)} UTC.`,
    `Now: ${verdicts.join(", ")}.`,
    ...(totals.not_monitored > 0
      ? [`Beyond the quota of the plan, and not monitored: ${counted(totals.not_monitored, "server")}.`]
      : []),
    fleetAvailability(servers.map(({ availability }) => availability)),
    ...(isComplete ? [] : ["The timeline has more entries than are counted here."]),
  ];
}

const serverEntry = (
  { name, verdict, since, headline, availability }: DigestServer,
  cap: number,
  lengthMs: number,
): string =>
  `${nameOf(name, cap)}: ${verdict}${since === null ? "" : ` since ${shownMinute(Date.parse(since))} UTC`}. ${headline.text} ${availabilityWords(availability, lengthMs)}`;

const listed = (
  heading: string,
  entries: readonly string[],
  most: number,
  moreWords: (count: number) => string,
  behind = 0,
): DigestSection => ({
  heading,
  entries: entries.slice(0, most),
  more: Math.max(0, entries.length - most) + behind,
  moreWords,
});

function serversSection(facts: DigestFacts, form: DigestForm): DigestSection {
  const { servers, moreServers, from, to } = facts;
  // Further servers are not written: a fleet may have hundreds.
  const entries = servers.slice(0, form.servers).map((server) => serverEntry(server, form.name, to - from));
  const behind = servers.length - entries.length + moreServers;
  return listed(
    "Servers, the worst first",
    entries,
    form.servers,
    (count) => `and ${counted(count, "server")} more`,
    behind,
  );
}

function findingsSection(facts: DigestFacts, form: DigestForm): DigestSection {
  const found = weekFindings(facts).map(
    ({ code, servers, now }) =>
      `${healthFindingNames[code]}: ${counted(servers, "server")}${now === 0 ? ", over" : now === servers ? ", still" : `, still on ${now}`}`,
  );
  const none = facts.servers.every(({ availability }) => availability.percent === null)
    ? "Nothing was measured, so nothing was found."
    : "Nothing was found.";
  const entries = found.length > 0 ? found : [none];
  return listed(
    "Findings of the week",
    entries,
    form.findings,
    (count) => `and ${counted(count, "finding")} more`,
  );
}

function changesSection({ changes, isComplete }: DigestFacts, form: DigestForm): DigestSection {
  const entries =
    changes.length === 0
      ? ["No change of software or settings was seen."]
      : changes.slice(0, form.changes).map((change) => changeWords(change, form.name));
  return listed(
    "What changed (UTC)",
    entries,
    form.changes,
    (count) => `and ${isComplete ? "" : "at least "}${counted(count, "change")} more`,
    Math.max(0, changes.length - form.changes),
  );
}

function alertsSection({ alerts, openAlerts }: DigestFacts, form: DigestForm): DigestSection {
  const { count, rules, noisiest } = alerts;
  const opened =
    count === 0
      ? "No alert was opened."
      : `${counted(count, "alert")} of ${counted(rules, "rule")} ${count === 1 ? "was" : "were"} opened.`;
  const loudest =
    noisiest === null || noisiest.alerts < 2
      ? []
      : [
          `The noisiest rule: ${shownName(noisiest.name, form.name)}, on ${nameOf(noisiest.serverName, form.name)}, ${counted(noisiest.alerts, "alert")}.`,
        ];
  const open = openAlerts > 0 ? [`Open now: ${counted(openAlerts, "alert")}.`] : [];
  return listed(
    "Alerts of the week",
    [opened, ...loudest, ...open],
    3,
    (more) => `and ${counted(more, "line")} more`,
  );
}

function stepsSection({ servers, alerts }: DigestFacts, form: DigestForm): DigestSection {
  const { noisiest } = alerts;
  const ofServers = servers.flatMap(({ name, step }) =>
    step === null ? [] : [`${nameOf(name, form.name)}: ${stepTexts[step]}.`],
  );
  const ofRule =
    noisiest !== null && noisiest.alerts >= noisyFrom
      ? [`${shownName(noisiest.name, form.name)}: Try another threshold in the preview of the rule.`]
      : [];
  const entries = [...ofServers.slice(0, form.steps - ofRule.length), ...ofRule];
  return listed("Next steps", entries, form.steps, (count) => `and ${counted(count, "step")} more`);
}

/** Third-party names appear in one line each, with hidden characters made visible. */
export function digestMessage(facts: DigestFacts, channel: MessageChannel): Message {
  const form = forms[channel];
  const sections = [
    serversSection(facts, form),
    findingsSection(facts, form),
    changesSection(facts, form),
    alertsSection(facts, form),
    stepsSection(facts, form),
  ].filter(({ entries }) => entries.length > 0);
  const fitting = fitSections(sections, form.budget, form.costOf);
  return {
    title: titleOf(facts),
    lines: [...summaryLines(facts), ...sectionLines(fitting), "", form.ending],
    link: form.link,
    tone: toneOf(facts),
  };
}
