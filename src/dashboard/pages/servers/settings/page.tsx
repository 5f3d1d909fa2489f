import { updateServer } from "../../../../endpoints/api/server/update-server.ts";
import { setServerGroup } from "../../../../endpoints/api/server/set-server-group.ts";
import { createServerGroup } from "../../../../endpoints/api/server/create-server-group.ts";
import { listServerGroups } from "../../../../endpoints/api/server/list-server-groups.ts";
import { chooseOffer } from "../../../../actions/server/choose-offer.ts";
import { deleteServer } from "../../../../actions/server/delete-server.ts";
import { getServerSettings } from "../../../../actions/server/get-server-settings.ts";
import { relinkServer } from "../../../../actions/server/relink-server.ts";
import { setAddress } from "../../../../actions/server/set-address.ts";
import { setMonitoring } from "../../../../actions/server/set-monitoring.ts";
import { unlinkServer } from "../../../../actions/server/unlink-server.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { Refusal } from "../../../../core/errors.ts";
import { Text } from "../../../parts/value.tsx";
import { ServerTabs } from "../../../parts/tabs.tsx";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";
import { codeIn, codeUnknown } from "../relink/page.tsx";
import { LeavingCards } from "./leaving-cards.tsx";
import { offersToChoose } from "./offers.ts";
import { AddressCard, GeneralCard, GroupCard, MonitoringCard, OfferCard } from "./setting-cards.tsx";

type Sent = Submission<SessionCaller>;

export const serverSettingsPage = personPage({
  path: "/servers/{id}/settings",
  show,
  actions: {
    general: saveGeneral,
    monitoring: switchMonitoring,
    address: saveAddress,
    group: saveGroup,
    "new-group": makeGroup,
    offer: saveOffer,
    relink,
    unlink,
    delete: remove,
  },
});

const idOf = ({ params }: PageRequest<SessionCaller>): string => params["id"] ?? "";
const back = (request: PageRequest<SessionCaller>): ActionResult => ({
  to: `/servers/${idOf(request)}/settings`,
});
const typed = (form: URLSearchParams, name: string): string | null => (form.get(name) ?? "").trim() || null;

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { call } = request;
  const settings = await call(getServerSettings, { server_id: idOf(request) });
  const { server } = settings;
  const [groups, offers] = await Promise.all([call(listServerGroups, {}), offersToChoose(request)]);
  const name = server.name ?? "A server without a name";
  return {
    title: `Settings of ${name}`,
    body: (
      <>
        <h1>
          <Text value={server.name} none="A server without a name" />
        </h1>
        <ServerTabs id={server.id} />
        <div class="settled">
          <GeneralCard server={server} />
          <MonitoringCard settings={settings} plan={request.person.limits}>
            <a href={`/servers/${server.id}/first-steps`}>What this server has sent so far</a>
          </MonitoringCard>
          <AddressCard settings={settings} />
          <GroupCard server={server} groups={groups.data} />
          <OfferCard settings={settings} offers={offers} />
        </div>
        <h2>Relink, unlink or delete</h2>
        <div class="columns">
          <LeavingCards server={server} sender={settings.sender} />
        </div>
      </>
    ),
  };
}

async function saveGeneral(sent: Sent): Promise<ActionResult> {
  const { form, call } = sent;
  const name = typed(form, "name");
  await call(updateServer, {
    server_id: idOf(sent),
    ...(name !== null && { name }),
    is_public: form.has("is_public"),
    show_address_on_report: form.has("show_address_on_report"),
    notify_on_report: form.has("notify_on_report"),
  });
  return back(sent);
}

async function switchMonitoring(sent: Sent): Promise<ActionResult> {
  await sent.call(setMonitoring, { server_id: idOf(sent), enabled: sent.form.get("enabled") === "true" });
  return back(sent);
}

async function saveAddress(sent: Sent): Promise<ActionResult> {
  const port = typed(sent.form, "port");
  await sent.call(setAddress, {
    server_id: idOf(sent),
    address: typed(sent.form, "address"),
    port: port === null ? null : Number(port),
  });
  return back(sent);
}

async function saveGroup(sent: Sent): Promise<ActionResult> {
  await sent.call(setServerGroup, { server_id: idOf(sent), group_id: typed(sent.form, "group_id") });
  return back(sent);
}

async function makeGroup(sent: Sent): Promise<ActionResult> {
  const group = await sent.call(createServerGroup, { name: sent.form.get("name") ?? "" });
  await sent.call(setServerGroup, { server_id: idOf(sent), group_id: group.id });
  return back(sent);
}

async function saveOffer(sent: Sent): Promise<ActionResult> {
  await sent.call(chooseOffer, { server_id: idOf(sent), offer_id: typed(sent.form, "offer_id") });
  return back(sent);
}

async function relink(sent: Sent): Promise<ActionResult> {
  await sent.call(relinkServer, { server_id: idOf(sent), code: codeIn(sent.form) }).catch(codeUnknown);
  return back(sent);
}

async function unlink(sent: Sent): Promise<ActionResult> {
  requireTick(sent.form, "Tick the box to confirm that the server leaves your account.");
  await sent.call(unlinkServer, { server_id: idOf(sent) });
  return { to: "/servers" };
}

async function remove(sent: Sent): Promise<ActionResult> {
  requireTick(sent.form, "Tick the box to confirm that the data is deleted for good.");
  await sent.call(deleteServer, { server_id: idOf(sent) });
  return { to: "/servers" };
}

function requireTick(form: URLSearchParams, message: string): void {
  if (!form.has("sure")) throw new Refusal("validation_error", message);
}
