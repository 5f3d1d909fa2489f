import { selectCatalogueEntry } from "../../../store/offer/offer-catalogue.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id } from "../../../core/id.ts";
import { plainText, thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { exampleFields, OfferFields, toFields } from "./offer-fields.ts";

const Certificate = z.object({
  report_id: Id,
  certified_at: Timestamp,
  expires_at: Timestamp,
  holds: z.boolean(),
});

const LinkedServer = z.object({
  server_id: Id,
  server_name: thirdPartyText(200).nullable(),
  owner_email: z.string().nullable(),
});

export const getOffer = defineEndpoint({
  id: "offers.get",
  method: "GET",
  path: "/admin/offers/{offer_id}",
  params: { offer_id: "offer_id" },
  access: { face: "web", who: "admin" },
  summary: "One offer with its certificate, its dispute, and the servers whose owners say they run on it.",
  input: z.strictObject({ offer_id: plainText(64) }),
  output: z.object({
    fields: OfferFields,
    certificate: Certificate.nullable(),
    disputed_at: Timestamp.nullable(),
    updated_at: Timestamp,
    linked: z.array(LinkedServer),
  }),
  errors: ["not_found"],
  example: {
    input: { offer_id: exampleFields.id },
    output: {
      fields: exampleFields,
      certificate: null,
      disputed_at: null,
      updated_at: "2026-11-20T07:34:00.000Z",
      linked: [
        {
          server_id: "019a9f5e-1d00-7000-8000-000000000003",
          server_name: "Lobby",
          owner_email: "you@example.org",
        },
      ],
    },
  },

  async handle({ offer_id }, { db, now, found }) {
    const entry = found(await db.read(selectCatalogueEntry, offer_id));
    const { certificate } = entry;
    return {
      fields: toFields(entry.listed),
      certificate: certificate && {
        report_id: certificate.reportId,
        certified_at: toTimestamp(certificate.certifiedAt),
        expires_at: toTimestamp(certificate.expiresAt),
        holds: certificate.expiresAt > now,
      },
      disputed_at: toTimestampOrNull(entry.disputedAt),
      updated_at: toTimestamp(entry.updatedAt),
      linked: entry.linked.map(({ serverId, serverName, ownerEmail }) => ({
        server_id: serverId,
        server_name: serverName,
        owner_email: ownerEmail,
      })),
    };
  },
});
