import {
  sealCounter,
  type SealCounts,
  type SealedKind,
  type SealedValue,
  type SealState,
} from "../../core/access/stored-seals.ts";
import { pacer } from "../../core/turns.ts";
import { sealedTables, selectSealed } from "../../store/access/sealed-values.ts";
import type { Database } from "../../store/engine/database.ts";
import { factorBinding, factorSealer } from "./factor-secrets.ts";
import { addressBinding, addressSealer } from "./message-sender.ts";
import { sealer } from "./sealed.ts";
import { webhookSecretsBinding } from "./webhook-secrets.ts";

const bindings: Readonly<Record<SealedKind, (accountId: string) => string>> = {
  alert_address: (accountId) => addressBinding(accountId, "email"),
  chat_webhook: (accountId) => addressBinding(accountId, "chat"),
  signed_webhook: (accountId) => addressBinding(accountId, "webhook"),
  webhook_secrets: webhookSecretsBinding,
  waiting_address: (accountId) => addressBinding(accountId, "email"),
  second_factor: factorBinding,
};

const [knownText, knownBinding] = ["tickmark", "secret of the service"];

/** The known text is a sealed constant in the database, which shows whose secret sealed the rest. */
export interface StoredSeals {
  /** Whether an earlier secret is still accepted. */
  readonly hasEarlier: boolean;
  readonly stateOf: (value: SealedValue) => SealState;
  /** Sealed with the secret in use; null if no secret opens the value. */
  readonly renewed: (value: SealedValue) => string | null;
  readonly sealKnown: (by: "current" | "earlier") => string;
  readonly stateOfKnown: (sealed: string) => SealState;
}

export function storedSeals(secrets: readonly string[]): StoredSeals {
  const [addresses, factors] = [addressSealer(secrets), factorSealer(secrets)];
  const [known, earlier] = [sealer(secrets, "known text"), sealer(secrets.slice(-1), "known text")];
  const of = ({ kind }: SealedValue) => (kind === "second_factor" ? factors : addresses);
  const bindingOf = ({ kind, accountId }: SealedValue): string => bindings[kind](accountId);
  return {
    hasEarlier: secrets.length > 1,
    stateOf: (value) => of(value).stateOf(value.sealed, bindingOf(value)),
    renewed: (value) => {
      const plain = of(value).open(value.sealed, bindingOf(value));
      return plain === null ? null : of(value).seal(plain, bindingOf(value));
    },
    sealKnown: (by) => (by === "current" ? known : earlier).seal(knownText, knownBinding),
    stateOfKnown: (sealed) => known.stateOf(sealed, knownBinding),
  };
}

const rowsAtATime = 100;

export async function* eachSealed(db: Database): AsyncGenerator<readonly SealedValue[]> {
  for (const table of sealedTables) {
    let page = await db.read(selectSealed, table, "", rowsAtATime);
    while (page !== null) {
      yield page.values;
      page = await db.read(selectSealed, table, page.last, rowsAtATime);
    }
  }
}

/** Counts what each secret opens; null: there is no secret, so nothing opens. */
export async function countSealed(
  db: Database,
  seals: Pick<StoredSeals, "stateOf"> | null,
): Promise<SealCounts> {
  const pace = pacer();
  const counter = sealCounter();
  for await (const values of eachSealed(db))
    for (const value of values) {
      counter.add(value.kind, seals === null ? "closed" : seals.stateOf(value));
      await pace();
    }
  return counter.counts;
}
