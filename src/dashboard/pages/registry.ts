import type { Page } from "../page.ts";
import { activityPage } from "./activity.tsx";
import { adminAccountPage } from "./admin/account.tsx";
import { adminAccountsPage } from "./admin/accounts.tsx";
import { adminOfferPage } from "./admin/offer.tsx";
import { adminOffersPage } from "./admin/offers.tsx";
import { adminServicePage } from "./admin/service.tsx";
import { securityPage } from "./security.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  securityPage,
  activityPage,
  adminServicePage,
  adminAccountsPage,
  adminAccountPage,
  adminOffersPage,
  adminOfferPage,
];
