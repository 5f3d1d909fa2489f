import type { Endpoint } from "../../contract/endpoint.ts";
import { deleteAccount } from "./leaving/delete-account.ts";
import { deleteServerGroup } from "./server-groups/delete-server-group.ts";
import { chooseOffer } from "./servers/choose-offer.ts";
import { deleteServer } from "./servers/delete-server.ts";
import { getServerSettings } from "./servers/get-server-settings.ts";
import { relinkServer } from "./servers/relink-server.ts";
import { setAddress } from "./servers/set-address.ts";
import { setMonitoring } from "./servers/set-monitoring.ts";
import { unlinkServer } from "./servers/unlink-server.ts";

/** What only people do, with a browser: pages call these, no route and no tool leads to them. */
export const webEndpoints: readonly Endpoint[] = [
  getServerSettings,
  setMonitoring,
  setAddress,
  chooseOffer,
  relinkServer,
  unlinkServer,
  deleteServer,
  deleteServerGroup,
  deleteAccount,
];
