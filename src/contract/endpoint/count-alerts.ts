import { alertFilterOf, AlertListInput, type AlertCounts } from "../../core/alert/alert-list-input.ts";
import { selectAlertCounts } from "../../store/alert/alerts.ts";
import { authenticateApi, requireCovered } from "../call/authenticate.ts";
import type { AppContext, Credentials } from "../call/app-context.ts";

/** The connector names at most this many rules with their counts. */
const mostRules = 10;

/**
 * By rule; null if the filters are invalid or the token may not read alerts. Uncounted, because it
 * accompanies a counted call of the list. Throws Refusal for a bad credential.
 */
export async function countAlerts(
  app: AppContext,
  credentials: Credentials,
  input: unknown,
): Promise<AlertCounts | null> {
  const caller = await authenticateApi(app, credentials, app.clock());
  if (caller.kind !== "token") return null;
  requireCovered(caller);
  const filter = AlertListInput.safeParse(input);
  if (!filter.success || !caller.scopes.includes("monitoring:read")) return null;
  return app.db.read(selectAlertCounts, caller.account.id, alertFilterOf(filter.data), mostRules);
}
