import { EmptyList } from "../../parts/empty-list.tsx";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { listOffers } from "../../../endpoints/api/offer/list-offers.ts";
import { createOffer } from "../../../actions/offer/create-offer.ts";
import { listProviders } from "../../../actions/offer/list-providers.ts";
import { removeProvider } from "../../../actions/offer/remove-provider.ts";
import { adminPage } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { Button, Form } from "../../parts/form.tsx";
import { Card, State } from "../../parts/state.tsx";
import { NextPage, Table } from "../../parts/table.tsx";
import { Quantity, Text, Time } from "../../parts/value.tsx";
import { Price } from "../offers/rows.tsx";
import { OfferForm, offerFrom } from "./offer-form.tsx";

type Offer = PersonAnswer<typeof listOffers>["data"][number];
type Provider = PersonAnswer<typeof listProviders>["data"][number];

const path = "/admin/offers";

export const adminOffersPage = adminPage({
  path,

  async show({ call, query, now }) {
    const cursor = query.get("cursor");
    const { data, page } = await call(listOffers, { limit: 50, ...(cursor !== null && { cursor }) });
    const { data: providers } = await call(listProviders, {});
    return {
      title: "Offers",
      body: (
        <>
          <h1>Administration</h1>
          <AdminTabs />
          <Card title="Offers" aside={<a href="/offers">As everybody sees them</a>}>
            {data.length === 0 ? (
              <EmptyList query={query} now={now} one="offer" all={path}>
                <p>
                  The catalogue is empty. Add the first offer below, or a whole file with{" "}
                  <code>offer import</code>.
                </p>
              </EmptyList>
            ) : (
              <OfferTable rows={data} />
            )}
            <NextPage cursor={page.cursor} query={query} />
          </Card>
          <Card title="New offer">
            <OfferForm does="create" offer={null} />
          </Card>
          {providers.length > 0 && (
            <Card title="Providers">
              <ProviderTable rows={providers} />
            </Card>
          )}
        </>
      ),
    };
  },

  actions: {
    create: async ({ call, form }) => {
      const { id } = await call(createOffer, offerFrom(form, form.get("id")?.trim() ?? ""));
      return { to: `${path}/${id}` };
    },
    remove_provider: async ({ call, form }) => {
      await call(removeProvider, { provider_id: form.get("provider_id") ?? "" });
      return { to: path };
    },
  },
});

function OfferTable({ rows }: { rows: readonly Offer[] }) {
  return (
    <Table
      caption="Offers, best evidence first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          head: "Offer",
          cell: ({ id, name }) => (
            <a href={`${path}/${id}`}>
              <Text value={name} none={id} />
            </a>
          ),
        },
        { head: "Provider", cell: ({ provider }) => <Text value={provider.name} /> },
        {
          head: "Evidence",
          cell: ({ evidence, contested }) =>
            contested ? <State means="watch">{evidence}, contested</State> : evidence,
        },
        {
          head: "Price",
          number: true,
          cell: (offer) => <Price offer={offer} />,
        },
        { head: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> },
      ]}
    />
  );
}

function ProviderTable({ rows }: { rows: readonly Provider[] }) {
  return (
    <Table
      caption="Providers, by identifier"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { head: "Identifier", cell: ({ id }) => <code>{id}</code> },
        { head: "Name", cell: ({ name }) => <Text value={name} /> },
        { head: "Offers", number: true, cell: ({ offers }) => <Quantity value={offers} digits={0} /> },
        {
          head: "Delete",
          cell: ({ id, offers }) =>
            offers > 0 ? (
              <span class="quiet">has offers</span>
            ) : (
              <Form does="remove_provider" hidden={{ provider_id: id }} class="form inline">
                <Button danger>
                  Delete<span class="unseen"> {id}</span>
                </Button>
              </Form>
            ),
        },
      ]}
    />
  );
}
