import { action } from "../../contract/endpoint/action.ts";
import { selectCatalogueEntry } from "../../store/offer/offer-catalogue.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull } from "../../core/time.ts";
import { toFields } from "./offer-fields.ts";

export const getOffer = action({
  id: "offers.get",
  who: "admin",
  input: { offer_id: plainText(64) },
  errors: ["not_found"],

  async run({ offer_id }, { db, now, found }) {
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
