import type { AlertRecord } from "../../core/alert/alert.ts";
import { wasNotified } from "../../core/alert/delivery.ts";
import type { RowOf } from "../engine/table.ts";
import { alertRuleTable, alertTable } from "./tables.ts";

export type RuleRow = RowOf<typeof alertRuleTable>;
export const ruleColumns = alertRuleTable.columns;
export const toRule = alertRuleTable.toRecord;
export const fromRule = alertRuleTable.toRow;

export type AlertRow = RowOf<typeof alertTable>;
export const toAlertRecord = alertTable.toRecord;

export const fromAlert = (alert: AlertRecord): AlertRow =>
  Object.assign(alertTable.toRow(alert), { notified: Number(wasNotified(alert.delivery)) });
