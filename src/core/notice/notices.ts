import { missingWords, type LeadScore } from "../report/lead-score.ts";
import type { BenchmarkMode } from "../report/report.ts";
import { shownName, shownNumber, shownTime } from "../text/plain-words.ts";
import type { JudgedMetric } from "../server/regression/group.ts";
import { restorableDays } from "../server/restorable.ts";
import type { Instant } from "../time.ts";
import type { Message } from "./message.ts";

/** Actions of a token that silence or publish something; timeline entries use the same words. */
export type TokenActionKind =
  | "rule_disabled"
  | "rule_muted"
  | "alert_acknowledged"
  | "maintenance_start"
  | "maintenance_extended"
  | "visibility_changed";

const actionWords: Readonly<Record<TokenActionKind, string>> = {
  rule_disabled: "An alert rule was switched off",
  rule_muted: "An alert rule was muted",
  alert_acknowledged: "An alert was acknowledged",
  maintenance_start: "Maintenance was started",
  maintenance_extended: "Maintenance was extended",
  visibility_changed: "The visibility of a server or report was changed",
};

export interface TokenAction {
  readonly kind: TokenActionKind;
  readonly tokenName: string;
  /** The name that the program gave itself; null if it gave none. */
  readonly client: string | null;
  /** The name of a rule or report; null if the action concerns the server as a whole. */
  readonly subject: string | null;
  readonly serverName: string | null;
  /** Null: the effect has no end. */
  readonly until: Instant | null;
  readonly at: Instant;
}

const line = (label: string, text: string | null): string | null =>
  text === null ? null : `${label}: ${shownName(text)}`;

const present = (lines: readonly (string | null)[]): string[] => lines.filter((text) => text !== null);

/** Only for actions of a token; the owner's own clicks send no notice. */
export const tokenActionMessage = (action: TokenAction, link: string | null): Message => ({
  title: `${actionWords[action.kind]} by the token ${shownName(action.tokenName)}`,
  lines: present([
    line("Server", action.serverName),
    line("What", action.subject),
    line("Client", action.client ?? "unknown"),
    `When: ${shownTime(action.at)}`,
    action.until === null ? null : `Until: ${shownTime(action.until)}`,
    "If you did not want this, revoke the token.",
  ]),
  link,
  tone: "info",
});

/** A server whose installation somebody linked to another account. */
export interface TakenServer {
  readonly serverName: string | null;
  readonly at: Instant;
}

export const serverTakenMessage = ({ serverName, at }: TakenServer, link: string | null): Message => ({
  title: `${serverName === null ? "A server without a name" : shownName(serverName)} was linked to another account`,
  lines: [
    "Somebody with access to the console of the installation did this. The server is unlinked from your account, and the other account got none of your data.",
    `The reports of the server stay yours. Its other data is deleted in ${restorableDays} days.`,
    `When: ${shownTime(at)}`,
  ],
  link,
  tone: "bad",
});

export interface ArrivedReport {
  readonly serverName: string | null;
  readonly mode: BenchmarkMode;
  readonly lead: LeadScore;
}

const scoreNames: Readonly<Record<LeadScore["key"], string>> = {
  total: "Total score",
  hardware: "Hardware score",
  gameplay: "Gameplay score",
  single_core: "Single core score",
};

function leadLine(lead: LeadScore): string {
  if (lead.value === null) return `${scoreNames.total}: none`;
  const lacking = missingWords(lead);
  const value = lead.value === 0 ? "" : shownNumber(lead.value);
  return `${scoreNames[lead.key]}: ${[value, lacking].filter(Boolean).join(", ")}`;
}

export const newReportMessage = (
  { serverName, mode, lead }: ArrivedReport,
  link: string | null,
): Message => ({
  title: `New report of ${serverName === null ? "a server without a name" : shownName(serverName)}`,
  lines: [`Mode: ${mode}`, leadLine(lead)],
  link,
  tone: "info",
});

/** A server whose verdict turned to regression. */
export interface TurnedRegression {
  readonly serverName: string | null;
  readonly metric: JudgedMetric;
  readonly changePercent: number | null;
  readonly medianBefore: number | null;
  readonly medianNow: number | null;
  /** The day the drop began. */
  readonly since: Instant;
}

const percent = (value: number): string => `${value > 0 ? "+" : ""}${shownNumber(value)} %`;
const score = (value: number | null): string => (value === null ? "unknown" : shownNumber(value));

export const regressionMessage = (
  { serverName, metric, changePercent, medianBefore, medianNow, since }: TurnedRegression,
  link: string | null,
): Message => ({
  title: `${serverName === null ? "A server without a name" : shownName(serverName)} got slower`,
  lines: present([
    changePercent === null ? null : `${scoreNames[metric]}: ${percent(changePercent)}`,
    `Median before: ${score(medianBefore)}`,
    `Median since: ${score(medianNow)}`,
    `Since: ${shownTime(since)}`,
  ]),
  link,
  tone: "bad",
});

/** Sent to an address that somebody entered as that of a Tickmark account. */
export const confirmationMessage = (code: string, minutes: number, link: string): Message => ({
  title: "Confirm this address for alerts of Tickmark",
  lines: [
    `The code is ${code}. It is valid for ${minutes} minutes.`,
    "Somebody who is signed in wants to receive alerts and notices at this address. To agree, type the code on the page below.",
    "If it was not you, do nothing: no other mail is sent to this address.",
  ],
  link,
  tone: "info",
});

export const channelTestMessage = (link: string): Message => ({
  title: "[TEST] Tickmark can reach you here",
  lines: ["This is a test: nothing is wrong.", "Alerts of rules that use this channel arrive here."],
  link,
  tone: "info",
});
