import type { Endpoint } from "../../contract/endpoint.ts";
import { getAccount } from "./accounts-admin/get-account.ts";
import { listAccounts } from "./accounts-admin/list-accounts.ts";
import { updateAccount } from "./accounts-admin/update-account.ts";
import { listActivity } from "./activity/list-activity.ts";
import { certifyOffer } from "./offers-admin/certify-offer.ts";
import { createOffer } from "./offers-admin/create-offer.ts";
import { endCertificate } from "./offers-admin/end-certificate.ts";
import { getOffer } from "./offers-admin/get-offer.ts";
import { listProviders } from "./offers-admin/list-providers.ts";
import { removeProvider } from "./offers-admin/remove-provider.ts";
import { setDispute } from "./offers-admin/set-dispute.ts";
import { unlinkOfferServer } from "./offers-admin/unlink-offer-server.ts";
import { updateOffer } from "./offers-admin/update-offer.ts";
import { withdrawOffer } from "./offers-admin/withdraw-offer.ts";
import { getInstallation } from "./service-admin/get-installation.ts";
import { createToken } from "./tokens/create-token.ts";
import { listTokens } from "./tokens/list-tokens.ts";
import { revokeToken } from "./tokens/revoke-token.ts";

/** What only people do, with a browser: pages call these, no route and no tool leads to them. */
export const webEndpoints: readonly Endpoint[] = [
  createToken,
  listTokens,
  revokeToken,
  listActivity,
  listAccounts,
  getAccount,
  updateAccount,
  createOffer,
  getOffer,
  updateOffer,
  withdrawOffer,
  certifyOffer,
  endCertificate,
  setDispute,
  unlinkOfferServer,
  listProviders,
  removeProvider,
  getInstallation,
];
