/*
 * Words about arguments that several tools take. A tool describes what an argument's name and type leave open; one
 * that says all (a boolean `enabled` that filters, an enumeration, a limit) has none, since every word is paid for.
 */
export const cursor = { cursor: "page.cursor of the page before" };
export const top = { top: "Entries of each long list" };
export const reportId = { report_id: "Full id or short_id" };
export const days = { days: "Only the last so many days" };
export const ownOnly = { mine: "Only the caller's own account" };
export const plugin = "Plugin or mod, spelled as in owners";
export const ruleWords = {
  condition: "null for offline",
  threshold: "In the metric's unit; null for offline",
  duration_minutes: "How long it has to hold",
  cooldown_minutes: "Silence between two alerts",
};
