import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { Evidence, OfferType } from "../../../core/offer/offer.ts";
import { listOffers } from "../../../endpoints/api/offer/list-offers.ts";
import { queryInput, attempt } from "../../request-input.ts";
import { publicPage, type PageRequest } from "../../page.ts";
import { EmptyList } from "../../parts/empty-list.tsx";
import { Filters } from "../../parts/filters.tsx";
import { Choice, FormField } from "../../parts/form.tsx";
import { Card, Empty, Notice } from "../../parts/state.tsx";
import { NextPage } from "../../parts/table.tsx";
import { Words } from "../../parts/words.tsx";
import { evidenceWords, OfferRows } from "./rows.tsx";

export const offersPage = publicPage({
  path: "/offers",
  async show(request) {
    const { value, refusal } = await attempt([400], () =>
      request.call(listOffers, queryInput(listOffers, inCents(request.query))),
    );
    return {
      title: "Offers",
      status: refusal?.status ?? 200,
      body: (
        <>
          <h1>Offers</h1>
          <p class="quiet">
            These are hosting offers, best evidence first, then by price. The report of an offer shows what
            one server delivered at the time of the report.
          </p>
          <OfferFilters request={request} />
          {refusal && <Notice means="bad">{refusal.message}</Notice>}
          {value && value.data.length === 0 && <NoOffers request={request} />}
          {value && value.data.length > 0 && <Found offers={value} request={request} />}
        </>
      ),
    };
  },
});

/** The form has euros, the API cents. Text that is not a price is left for the API to refuse. */
function inCents(query: URLSearchParams): URLSearchParams {
  const input = new URLSearchParams(query);
  const price = input.get("max_price_eur") ?? "";
  input.delete("max_price_eur");
  if (price === "") return input;
  const cents = /^\d{1,7}(?:\.\d{1,2})?$/.test(price) ? String(Math.round(Number(price) * 100)) : price;
  input.set("max_price_eur_cents", cents);
  return input;
}

function Found({ offers, request }: { offers: PersonAnswer<typeof listOffers>; request: PageRequest }) {
  return (
    <Card title="Best evidence first">
      <OfferRows caption="Offers" offers={offers.data} now={request.now} />
      <NextPage cursor={offers.page.cursor} query={request.query} more="More" />
      <dl class="facts">
        {Evidence.options.map((evidence) => (
          <div key={evidence}>
            <dt>{evidence}</dt>
            <dd class="small">{evidenceWords[evidence]}</dd>
          </div>
        ))}
        <div>
          <dt>contested</dt>
          <dd class="small">
            Another public run on the same offer scored clearly lower, or somebody disputes the evidence.
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function OfferFilters({ request: { query } }: { request: PageRequest }) {
  const any = ["", "Any"] as const;
  return (
    <Filters label="Which offers">
      <Choice
        name="type"
        label="Type"
        value={query.get("type")}
        options={[any, ...OfferType.options.map((value) => [value, value] as const)]}
      />
      <Choice
        name="evidence"
        label="Evidence"
        value={query.get("evidence")}
        options={[any, ...Evidence.options.map((value) => [value, value] as const)]}
      />
      <FormField
        name="max_price_eur"
        label="At most, € a month"
        type="number"
        min={0}
        step={0.01}
        value={query.get("max_price_eur")}
      />
      <FormField
        name="min_ram_gb"
        label="Memory at least, GB"
        type="number"
        min={0}
        step="any"
        value={query.get("min_ram_gb")}
      />
      <FormField name="provider_id" label="Provider's id" value={query.get("provider_id")} maxLength={64} />
    </Filters>
  );
}

function NoOffers({ request }: { request: PageRequest }) {
  return (
    <EmptyList
      query={request.query}
      now={request.now}
      one="offer"
      all="/offers"
      filters={["type", "evidence", "max_price_eur", "min_ram_gb", "provider_id"]}
      filteredHint="Offers without a known price or memory match no limit."
    >
      <Empty
        title="No offers yet"
        next={
          <p>
            The operator of this service adds them with <Words of="tickmark offer import FILE" />
            {request.person.kind === "session" && request.person.account.role === "admin" && (
              <>
                {" "}
                or <a href="/admin/offers">one by one</a>
              </>
            )}
            .
          </p>
        }
      >
        <p>
          Hosting plans are listed here with their price, and with the benchmark reports that prove what they
          deliver.
        </p>
      </Empty>
    </EmptyList>
  );
}
