import type { AlertRecord } from "../../../src/core/alert/alert.ts";
import type { RuleProgress } from "../../../src/core/alert/alert-rule.ts";
import type { RawDatabase } from "./raw-database.ts";

type Row = Record<string, unknown>;

/** Statements that find rows whose other half is missing. */
const orphans: Readonly<Record<string, string>> = {
  "an open rule without its alert": `SELECT r.id FROM alert_rule r LEFT JOIN alert a ON a.id = r.open_alert_id
    WHERE r.open_alert_id IS NOT NULL AND (a.id IS NULL OR a.status = 'resolved' OR a.rule_id <> r.id)`,
  "an alert in progress without its rule": `SELECT a.id FROM alert a
    LEFT JOIN alert_rule r ON r.open_alert_id = a.id WHERE a.status <> 'resolved' AND r.id IS NULL`,
  "a message of no alert": `SELECT d.id FROM dispatch d LEFT JOIN alert a ON a.id = d.alert_id
    WHERE d.alert_id IS NOT NULL AND a.id IS NULL`,
  "a line in the browser of no alert": `SELECT i.id FROM inbox i LEFT JOIN alert a ON a.id = i.alert_id
    WHERE i.alert_id IS NOT NULL AND a.id IS NULL`,
  "a shown sample that is not in the series": `SELECT s.id FROM server s
    LEFT JOIN sample x ON x.server_id = s.id AND x.sampled_at = s.sampled_at
    WHERE s.sampled_at IS NOT NULL AND x.server_id IS NULL`,
  "an upload of which some events are missing": `SELECT server_id, received_at FROM server_event
    GROUP BY server_id, received_at HAVING count(*) <> 3`,
  "a ban without its alert, or an alert without its ban": `SELECT b.server_id FROM
    (SELECT server_id, count(*) AS n FROM server_event WHERE type = 'ban' GROUP BY server_id) b
    LEFT JOIN (SELECT server_id, count(*) AS n FROM alert WHERE kind = 'event' GROUP BY server_id) a
    ON a.server_id = b.server_id WHERE a.n IS NULL OR a.n <> b.n`,
};

const delivery = (row: Row): AlertRecord["delivery"] =>
  JSON.parse(String(row["delivery"])) as AlertRecord["delivery"];

/** The messages an alert says are on their way. */
function pendingOf(row: Row): string[] {
  const pending: string[] = [];
  for (const channel of ["email", "chat"] as const) {
    const { status, resolvedStatus } = delivery(row)[channel];
    if (status === "pending") pending.push(`${row["id"]} ${channel} opened`);
    if (resolvedStatus === "pending") pending.push(`${row["id"]} ${channel} resolved`);
  }
  return pending;
}

/** Names every row of a database whose other half is missing: what only part of a transaction would leave. */
export async function halfStates(db: RawDatabase): Promise<string[]> {
  const found: string[] = [];
  for (const [name, statement] of Object.entries(orphans)) {
    for (const row of await db.rows(statement)) found.push(`${name}: ${JSON.stringify(row)}`);
  }
  for (const row of await db.rows("SELECT id, progress, open_alert_id FROM alert_rule")) {
    const { state } = JSON.parse(String(row["progress"])) as RuleProgress;
    if ((state === "firing") !== (row["open_alert_id"] !== null))
      found.push(`a rule that is ${state} and is not`);
  }
  const alerts = await db.rows("SELECT id, delivery FROM alert WHERE delivery LIKE '%pending%'");
  const queued = await db.rows("SELECT alert_id, channel, purpose FROM dispatch");
  const messages = new Set(queued.map((row) => `${row["alert_id"]} ${row["channel"]} ${row["purpose"]}`));
  const pending = new Set(alerts.flatMap(pendingOf));
  for (const each of [...messages, ...pending]) {
    if (!messages.has(each) || !pending.has(each)) found.push(`a message queued or pending: ${each}`);
  }
  return found;
}
