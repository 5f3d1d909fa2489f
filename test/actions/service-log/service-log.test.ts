import { saveChosenOffer } from "../../../src/services/offer/choose-offer.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { selectServiceLog } from "../../../src/store/service-log/service-log.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CalledByPages, PersonAnswer, PersonInput } from "../../../src/contract/call/call-as-person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { updateAccount } from "../../../src/actions/access/update-account.ts";
import { createInvitation } from "../../../src/actions/access/create-invitation.ts";
import { withdrawInvitation } from "../../../src/actions/access/withdraw-invitation.ts";
import { certifyOffer } from "../../../src/actions/offer/certify-offer.ts";
import { createOffer } from "../../../src/actions/offer/create-offer.ts";
import { endCertificate } from "../../../src/actions/offer/end-certificate.ts";
import { offerFields } from "../../support/offer-fields.ts";
import { removeProvider } from "../../../src/actions/offer/remove-provider.ts";
import { setDispute } from "../../../src/actions/offer/set-dispute.ts";
import { unlinkOfferServer } from "../../../src/actions/offer/unlink-offer-server.ts";
import { updateOffer } from "../../../src/actions/offer/update-offer.ts";
import { withdrawOffer } from "../../../src/actions/offer/withdraw-offer.ts";
import { allActions } from "../../support/actions.ts";
import { listServiceLog } from "../../../src/actions/service-log/list-service-log.ts";
import { asPerson } from "../../support/as-person.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { visitor } from "../../support/visitor.ts";

let service: TestService;
let root: Account;
let ask: Awaited<ReturnType<typeof asPerson>>;
beforeAll(async () => {
  service = await startTestService({ signUp: "invite" });
  root = await service.account("enterprise", "admin");
  ask = await asPerson(service, root);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const newest = async (limit: number) => (await ask(listServiceLog, { limit })).data;

/** Calls it, and tells the entry it left; fails where it left none or another than this admin's. */
const acted = new Map<string, string[]>();
async function act<C extends CalledByPages>(called: C, input: PersonInput<C>): Promise<PersonAnswer<C>> {
  const before = (await newest(1))[0]?.id;
  const answer = await ask(called, input);
  const [entry, earlier] = await newest(2);
  expect([called.id, earlier?.id]).toEqual([called.id, before]);
  expect(entry?.by).toEqual({ who: "admin", account: { id: root.id, email: root.email } });
  acted.set(called.id, [...(acted.get(called.id) ?? []), entry?.kind ?? ""]);
  return answer;
}

it("[OUR-ADM-12] every call by which an admin changes something leaves one entry, done by that admin", async () => {
  const somebody = await service.account("free", "user", { emailVerified: false });
  const account_id = somebody.id;
  await act(updateAccount, { account_id, plan: "pro" });
  expect((await newest(1))[0]?.about).toEqual({ id: somebody.id, email: somebody.email });
  await act(updateAccount, { account_id, role: "suspended" });
  await act(updateAccount, { account_id, email_verified: true });
  const email = "friend@example.org";
  const { invitation, link } = await act(createInvitation, { email });
  const [made] = await newest(1);
  expect(made?.words).toContain(invitation.id);
  for (const secret of [email, new URL(link).searchParams.get("invitation") ?? link])
    expect(JSON.stringify(made)).not.toContain(secret);
  await act(withdrawInvitation, { invitation_id: invitation.id });

  const offer_id = offerFields.id;
  await act(createOffer, offerFields);
  await act(updateOffer, { ...offerFields, name: "Iron 9" });
  const server = await service.server(await service.account());
  const report = await service.report(server);
  await service.app.db.write(changeReport, report.id, { visibility: "public" });
  await act(certifyOffer, { offer_id, report_id: report.id });
  await act(endCertificate, { offer_id });
  for (const open of [true, false]) await act(setDispute, { offer_id, open });
  await service.app.db.write(saveChosenOffer, server.id, offer_id);
  await act(unlinkOfferServer, { offer_id, server_id: server.id });
  await act(withdrawOffer, { offer_id });
  await act(removeProvider, { provider_id: offerFields.provider_id });

  expect(Object.fromEntries(acted)).toEqual({
    "accounts.update": ["plan_changed", "role_changed", "email_verified"],
    "accounts.create_invitation": ["invitation_made"],
    "accounts.withdraw_invitation": ["invitation_withdrawn"],
    "offers.create": ["offer_created"],
    "offers.update": ["offer_changed"],
    "offers.certify": ["offer_certified"],
    "offers.end_certificate": ["certificate_ended"],
    "offers.set_dispute": ["dispute_opened", "dispute_closed"],
    "offers.unlink_server": ["server_taken_off_offer"],
    "offers.withdraw": ["offer_deleted"],
    "offers.remove_provider": ["provider_deleted"],
  });
  const ofAdmins = [...(await allActions()).values()].filter(({ who }) => who === "admin");
  const changing = ofAdmins.map(({ id }) => id).filter((id) => !/\.(?:get|list)(?:_|$)/.test(id));
  expect([...acted.keys()].toSorted()).toEqual(changing.toSorted());
});

it("[OUR-ADM-12] what is changed to what it is already leaves no entry", async () => {
  const { id, plan, role } = await service.account();
  const before = await newest(1);
  await ask(updateAccount, { account_id: id, plan, role, email_verified: true });
  expect(await newest(1)).toEqual(before);
});

it("[OUR-ADM-12] the set-up is an entry of the admin it makes", async () => {
  const own = await startTestService();
  const page = visitor(own);
  await page.send("/set-up", "set_up", {
    code: own.service.setUpCode,
    email: "first@example.org",
    password: "correct horse battery",
  });
  const [entry] = await own.app.db.read(selectServiceLog, null, 1);
  expect(entry).toMatchObject({
    kind: "account_created",
    words: "An account was made, role admin, plan enterprise.",
    by: { who: "admin", account: { email: "first@example.org" } },
    about: { email: "first@example.org" },
  });
  await own.close();
});

it("[OUR-ADM-11] [OUR-ADM-01] the log is for admins alone", async () => {
  const stranger = await asPerson(service, await service.account("enterprise"));
  await expect(stranger(listServiceLog, {})).rejects.toMatchObject({ code: "not_found" });
});
