import type { z } from "zod";
import { OfferType } from "../../../core/offer/offer.ts";
import type { OfferFields } from "../../../actions/offer/offer-fields.ts";
import { Button, Choice, FormField, Form } from "../../parts/form.tsx";

/** Unknown fields are left out or null. */
type Known = z.input<typeof OfferFields>;

interface OfferFormProps {
  readonly does: string;
  /** Null for a new offer. */
  readonly offer: Known | null;
}

interface PartProps {
  readonly of: string;
  readonly offer: Known | null;
}

/** An empty field is unknown. */
export function OfferForm({ does, offer }: OfferFormProps) {
  return (
    <Form does={does} class="form wide">
      {offer === null && (
        <FormField
          name="id"
          label="Identifier"
          of={does}
          required
          maxLength={64}
          hint="The identifier in your own catalogue. It never changes."
        />
      )}
      <FormField name="name" label="Name" of={does} value={offer?.name ?? null} required />
      <Choice
        name="type"
        label="Type"
        of={does}
        value={offer?.type ?? "game"}
        options={OfferType.options.map((type) => [type, type] as const)}
      />
      <ProviderFields of={does} offer={offer} />
      <HardwareFields of={does} offer={offer} />
      <FormField name="url" label="Offer's web address" type="url" of={does} value={offer?.url ?? null} />
      <Amount
        name="price_eur_cents"
        label="Price per month (euro cents)"
        of={does}
        value={offer?.price_eur_cents}
      />
      <Button>{offer === null ? "Add offer" : "Save offer"}</Button>
    </Form>
  );
}

function ProviderFields({ of, offer }: PartProps) {
  return (
    <fieldset>
      <legend>Provider</legend>
      <div class="form wide">
        <FormField
          name="provider_id"
          label="Provider's identifier"
          of={of}
          value={offer?.provider_id ?? null}
          required
          maxLength={64}
        />
        <FormField
          name="provider_name"
          label="Provider's name"
          of={of}
          value={offer?.provider_name ?? null}
          required
          hint="A change applies to all offers of the provider. The same is true of the web address."
        />
        <FormField
          name="provider_url"
          label="Provider's web address"
          type="url"
          of={of}
          value={offer?.provider_url ?? null}
        />
      </div>
    </fieldset>
  );
}

function HardwareFields({ of, offer }: PartProps) {
  return (
    <fieldset>
      <legend>Hardware</legend>
      <div class="form wide">
        <FormField name="cpu_name" label="Processor" of={of} value={offer?.cpu_name ?? null} />
        <Amount name="cpu_cores" label="Cores" of={of} value={offer?.cpu_cores} />
        <Amount name="ram_gb" label="RAM (GB)" of={of} value={offer?.ram_gb} step="any" />
        <FormField
          name="disk_type"
          label="Disk type"
          of={of}
          value={offer?.disk_type ?? null}
          hint="nvme, ssd, hdd …"
        />
        <Amount name="disk_gb" label="Disk (GB)" of={of} value={offer?.disk_gb} step="any" />
        <FormField name="location" label="Location" of={of} value={offer?.location ?? null} />
      </div>
    </fieldset>
  );
}

interface AmountProps {
  readonly name: string;
  readonly label: string;
  readonly of: string;
  readonly value: number | null | undefined;
  readonly step?: number | "any";
}

function Amount({ name, label, of, value, step = 1 }: AmountProps) {
  return (
    <FormField name={name} label={label} type="number" of={of} value={value ?? null} min={0} step={step} />
  );
}

/** An empty field is unknown. Text that is not a number becomes NaN, which the endpoint refuses. */
export function offerFrom(form: URLSearchParams, id: string): OfferFields {
  const text = (name: string): string | null => form.get(name)?.trim() || null;
  const number = (name: string): number | null => {
    const typed = text(name);
    if (typed === null) return null;
    return /^\d{1,12}(\.\d{1,6})?$/.test(typed) ? Number(typed) : NaN;
  };
  return {
    id,
    name: text("name") ?? "",
    type: (text("type") ?? "") as OfferFields["type"],
    provider_id: text("provider_id") ?? "",
    provider_name: text("provider_name") ?? "",
    provider_url: text("provider_url"),
    url: text("url"),
    price_eur_cents: number("price_eur_cents"),
    cpu_name: text("cpu_name"),
    cpu_cores: number("cpu_cores"),
    ram_gb: number("ram_gb"),
    disk_type: text("disk_type"),
    disk_gb: number("disk_gb"),
    location: text("location"),
  };
}
