import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { certifyOffer } from "../../../actions/offer/certify-offer.ts";
import { endCertificate } from "../../../actions/offer/end-certificate.ts";
import { getOffer } from "../../../actions/offer/get-offer.ts";
import { setDispute } from "../../../actions/offer/set-dispute.ts";
import { unlinkOfferServer } from "../../../actions/offer/unlink-offer-server.ts";
import { updateOffer } from "../../../actions/offer/update-offer.ts";
import { withdrawOffer } from "../../../actions/offer/withdraw-offer.ts";
import { adminPage } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { Button, FormField, Form } from "../../parts/form.tsx";
import { Card, State } from "../../parts/state.tsx";
import { Facts, Table } from "../../parts/table.tsx";
import { Text, Time } from "../../parts/value.tsx";
import { OfferForm, offerFrom } from "./offer-form.tsx";

type OfferDetail = PersonAnswer<typeof getOffer>;

const list = "/admin/offers";

/** An offer's facts, certificate, dispute and linked servers. */
export const adminOfferPage = adminPage({
  path: `${list}/{id}`,

  async show({ call, params }) {
    const offer = await call(getOffer, { offer_id: params["id"] ?? "" });
    return {
      title: offer.fields.name,
      body: (
        <>
          <h1>
            <Text value={offer.fields.name} />
          </h1>
          <AdminTabs />
          <div class="columns">
            <CertificateCard certificate={offer.certificate} />
            <DisputeCard disputedAt={offer.disputed_at} />
          </div>
          <LinkedCard linked={offer.linked} />
          <Card title="Facts">
            <OfferForm does="save" offer={offer.fields} />
          </Card>
          <Card title="Withdraw">
            <p>
              The offer is removed from the catalogue. Its certificate ends, and its servers and measurements
              are no longer linked to an offer. Adding the offer again does not restore them.
            </p>
            <Form does="withdraw">
              <Button danger>Withdraw offer</Button>
            </Form>
          </Card>
        </>
      ),
    };
  },

  actions: {
    save: async ({ call, form, params }) => {
      const { id } = await call(updateOffer, offerFrom(form, params["id"] ?? ""));
      return { to: `${list}/${id}` };
    },
    certify: async ({ call, form, params, url }) => {
      const offer_id = params["id"] ?? "";
      await call(certifyOffer, { offer_id, report_id: form.get("report_id")?.trim() ?? "" });
      return { to: url };
    },
    end_certificate: async ({ call, params, url }) => {
      await call(endCertificate, { offer_id: params["id"] ?? "" });
      return { to: url };
    },
    dispute: async ({ call, form, params, url }) => {
      await call(setDispute, { offer_id: params["id"] ?? "", open: form.get("open") === "yes" });
      return { to: url };
    },
    unlink: async ({ call, form, params, url }) => {
      const server_id = form.get("server_id") ?? "";
      await call(unlinkOfferServer, { offer_id: params["id"] ?? "", server_id });
      return { to: url };
    },
    withdraw: async ({ call, params }) => {
      await call(withdrawOffer, { offer_id: params["id"] ?? "" });
      return { to: list };
    },
  },
});

function CertificateCard({ certificate }: { certificate: OfferDetail["certificate"] }) {
  return (
    <Card title="Certificate">
      {certificate === null ? (
        <p>No report of this offer was certified yet.</p>
      ) : (
        <Facts
          of={[
            [
              "State",
              certificate.holds ? <State means="good">valid</State> : <State means="unknown">ended</State>,
            ],
            [
              "Report",
              <a href={`/reports/${certificate.report_id}`}>
                <code>{certificate.report_id}</code>
              </a>,
            ],
            ["Certified", <Time at={certificate.certified_at} />],
            ["Until", <Time at={certificate.expires_at} />],
          ]}
        />
      )}
      <p class="hint">
        Certify a report that the hoster approved. The report must be public or unlisted. It is locked for 365
        days and replaces the certified report before it.
      </p>
      <Form does="certify">
        <FormField
          name="report_id"
          label="Report"
          of="certify"
          required
          hint="Its full or short identifier."
        />
        <Button>Certify for 365 days</Button>
      </Form>
      {certificate?.holds && (
        <Form does="end_certificate">
          <p class="hint">This ends the certificate now. The report is unlocked and is no longer evidence.</p>
          <Button danger>Withdraw certificate</Button>
        </Form>
      )}
    </Card>
  );
}

function DisputeCard({ disputedAt }: { disputedAt: OfferDetail["disputed_at"] }) {
  const isOpen = disputedAt !== null;
  return (
    <Card title="Dispute">
      {isOpen ? (
        <p>
          <State means="watch">open</State> since <Time at={disputedAt} />: the offer is shown as contested.
        </p>
      ) : (
        <p>No dispute is open. During a dispute the offer is shown as contested.</p>
      )}
      <Form does="dispute" hidden={{ open: isOpen ? "no" : "yes" }}>
        <Button plain>{isOpen ? "End dispute" : "Open dispute"}</Button>
      </Form>
    </Card>
  );
}

function LinkedCard({ linked }: { linked: OfferDetail["linked"] }) {
  return (
    <Card title="Linked servers">
      {linked.length === 0 ? (
        <p>No owner has stated that a server runs on this offer.</p>
      ) : (
        <>
          <p class="hint">
            The owners of these servers state that they run on this offer, so their newest public reports are
            its evidence. Undo removes that evidence. The owner can choose the offer again.
          </p>
          <Table
            caption="Servers whose owners chose this offer"
            rows={linked}
            rowKey={({ server_id }) => server_id}
            columns={[
              {
                head: "Server",
                cell: ({ server_id, server_name }) => <Text value={server_name} none={server_id} />,
              },
              { head: "Owner", cell: ({ owner_email }) => <Text value={owner_email} none="nobody" /> },
              {
                head: "Undo",
                cell: ({ server_id, server_name }) => (
                  <Form does="unlink" hidden={{ server_id }} class="form inline">
                    <Button danger>
                      Undo
                      <span class="unseen">
                        {" "}
                        <Text value={server_name} none={server_id} />
                      </span>
                    </Button>
                  </Form>
                ),
              },
            ]}
          />
        </>
      )}
    </Card>
  );
}
