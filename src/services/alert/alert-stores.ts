import type { AlertRuleStore, AlertStore, EventRuleStore } from "../../core/alert/store.ts";
import { acknowledgeOpenAlert } from "./acknowledge-alert.ts";
import { addAlertRule } from "./add-alert-rule.ts";
import { addEventRule } from "./add-event-rule.ts";
import { changeAlertRule, removeAlertRule } from "./change-alert-rule.ts";
import { changeEventRule, removeEventRule } from "./change-event-rule.ts";
import { evaluateServer, needsEvaluation } from "./evaluate-server.ts";
import { alertRuleReads } from "../../store/alert/alert-rules.ts";
import { alertReads } from "../../store/alert/alerts.ts";
import { eventRuleReads } from "../../store/alert/event-rules.ts";
import type { Database } from "../../store/engine/database.ts";
import { lockServer } from "../../store/server/locks.ts";

export const alertStore = (db: Database): AlertStore => ({
  ...alertReads(db),
  acknowledge: (...request) => db.write("saved", () => acknowledgeOpenAlert(...request)),
  sweepServer: async (id, limits, now) => {
    if (!(await db.read(() => needsEvaluation(id, limits, now)))) return;
    await db.write("saved", function* () {
      yield* lockServer(id);
      yield* evaluateServer(id, limits, now, null);
    });
  },
});

export const alertRuleStore = (db: Database): AlertRuleStore => ({
  ...alertRuleReads(db),
  create: (rule, replay) => db.write("saved", () => addAlertRule(rule, replay)),
  change: (...request) => db.write("saved", () => changeAlertRule(...request)),
  delete: (...request) => db.write("saved", () => removeAlertRule(...request)),
});

export const eventRuleStore = (db: Database): EventRuleStore => ({
  ...eventRuleReads(db),
  create: (...request) => db.write("saved", () => addEventRule(...request)),
  change: (...request) => db.write("saved", () => changeEventRule(...request)),
  delete: (...request) => db.write("saved", () => removeEventRule(...request)),
});
