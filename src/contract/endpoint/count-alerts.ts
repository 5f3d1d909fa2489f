import { alertFilterOf, AlertListInput, type AlertCounts } from "../../core/alert/alert-list-input.ts";
import { selectAlertCounts } from "../../store/alert/alerts.ts";
import { authenticateApi, requireCovered } from "../call/authenticate.ts";
import type { AppContext, Credentials } from "../call/app-context.ts";

/** Rules that the connector names with their counts. */
const mostRules = 10;

/**
 * How many alerts the list of the caller's own has for these filters, by rule; null where they are no filters of it, or
 * the token may not read alerts. No window counts it: it goes with a call of the list that is counted itself. Throws
 * Refusal where the credential is refused.
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
