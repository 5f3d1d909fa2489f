import type { Fleet } from "./overview.ts";

export interface OverviewStore {
  /** Every server the account holds, with its place among the enabled ones, and its threshold alerts in progress. */
  fleet(accountId: string): Promise<Fleet>;
}
