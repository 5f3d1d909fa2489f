import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { Evidence } from "../../../core/offer/offer.ts";
import type { Instant } from "../../../core/time.ts";
import type { listOffers } from "../../../endpoints/api/offer/list-offers.ts";
import { ExternalLink } from "../../parts/external-link.tsx";
import { Mark } from "../../parts/mark.tsx";
import { State } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Text, Time } from "../../parts/value.tsx";
import { Score } from "../reports/score.tsx";

export type OfferRow = PersonAnswer<typeof listOffers>["data"][number];

export const evidenceWords: Readonly<Record<Evidence, string>> = {
  certified: "The hoster approved the report of this offer. The certificate is valid for a year.",
  measured: "The operator of this service ran the benchmark on this offer.",
  linked: "The owner of a server states that it runs on this offer.",
  none: "There is no public report of this offer.",
};

interface Props {
  readonly caption: string;
  readonly offers: readonly OfferRow[];
  readonly now: Instant;
}

export function OfferRows({ caption, offers, now }: Props) {
  return (
    <Table
      caption={caption}
      rows={offers}
      rowKey={({ id }) => id}
      columns={[
        { head: "Offer", cell: (offer) => <OfferName offer={offer} /> },
        { head: "Evidence", cell: (offer) => <EvidenceOf offer={offer} /> },
        { head: "Report", cell: (offer) => <Behind offer={offer} now={now} /> },
        { head: "Machine", cell: (offer) => <Machine offer={offer} /> },
        { head: "Location", cell: ({ location }) => <Text value={location} none="not stated" /> },
        { head: "Price", number: true, cell: (offer) => <Price offer={offer} /> },
      ]}
    />
  );
}

function OfferName({ offer: { name, url, provider, type } }: { offer: OfferRow }) {
  return (
    <>
      <strong>
        <ExternalLink href={url}>{name}</ExternalLink>
      </strong>
      <div class="small quiet">
        <ExternalLink href={provider.url}>{provider.name}</ExternalLink> · {type}
      </div>
    </>
  );
}

function EvidenceOf({ offer: { evidence, contested, certificate_expires_at } }: { offer: OfferRow }) {
  return (
    <>
      {evidence === "linked" ? (
        <Mark shape="info">linked</Mark>
      ) : (
        <State means={evidence === "none" ? "unknown" : "good"}>{evidence}</State>
      )}
      {certificate_expires_at !== null && (
        <div class="small quiet">
          {evidence === "certified" ? "until " : "certificate ended "}
          <Time at={certificate_expires_at} />
        </div>
      )}
      {contested && (
        <div>
          <State means="watch">contested</State>
        </div>
      )}
    </>
  );
}

function Behind({ offer: { report }, now }: { offer: OfferRow; now: Instant }) {
  if (report === null) return <span class="quiet">no public report</span>;
  // With a hardware score, a total is missing only because the game was not measured.
  const isHostOnly = report.total === 0 && (report.hardware ?? 0) > 0;
  return (
    <>
      <a href={`/reports/${report.short_id}`}>
        {isHostOnly ? "hardware" : "total"} <Score value={isHostOnly ? report.hardware : report.total} />
      </a>
      {isHostOnly && <div class="small quiet">gameplay not measured</div>}
      <div class="small quiet">
        <Age at={report.created_at} now={now} />
        {report.algorithm_version !== null && ` · scoring version ${report.algorithm_version}`}
      </div>
    </>
  );
}

function Machine({ offer: { cpu_name, cpu_cores, ram_gb, disk_gb, disk_type } }: { offer: OfferRow }) {
  const sizes = [
    cpu_cores !== null && `${cpu_cores} ${cpu_cores === 1 ? "core" : "cores"}`,
    ram_gb !== null && `${ram_gb} GB`,
    disk_gb !== null && `${disk_gb} GB disk`,
  ].filter(Boolean);
  return (
    <>
      <Text value={cpu_name} none="processor not stated" />
      <div class="small quiet">
        {sizes.join(" · ")} {disk_type !== null && <Text value={disk_type} />}
      </div>
    </>
  );
}

export function Price({ offer: { price_eur_cents, billing_period } }: { offer: OfferRow }) {
  if (price_eur_cents === null) return <span class="quiet">not stated</span>;
  return (
    <span class="quantity">
      {(price_eur_cents / 100).toFixed(2)}
      <span class="unit"> € a {billing_period}</span>
    </span>
  );
}
