/** Kinds of sealed values in the database; short-lived ones such as challenges are not counted. */
const sealedKinds = [
  "alert_address",
  "chat_webhook",
  "signed_webhook",
  "webhook_secrets",
  "waiting_address",
  "second_factor",
] as const;
export type SealedKind = (typeof sealedKinds)[number];

/** An account has at most one value of each kind. */
export interface SealedValue {
  readonly kind: SealedKind;
  readonly accountId: string;
  readonly sealed: string;
}

/** Whether the current secret opens a value, an earlier one does, or none. */
const sealStates = ["current", "earlier", "closed"] as const;
export type SealState = (typeof sealStates)[number];

export type SealCounts = Readonly<Record<SealState, Readonly<Record<SealedKind, number>>>>;

export const totalOfState = (counts: SealCounts, state: SealState): number =>
  Object.values(counts[state]).reduce((sum, count) => sum + count, 0);

export const totalSealed = (counts: SealCounts): number =>
  sealStates.reduce((sum, state) => sum + totalOfState(counts, state), 0);

export function sealCounter(): {
  readonly add: (kind: SealedKind, state: SealState) => void;
  readonly counts: SealCounts;
} {
  const none = (): Record<SealedKind, number> =>
    Object.fromEntries(sealedKinds.map((kind) => [kind, 0])) as Record<SealedKind, number>;
  const counts = { current: none(), earlier: none(), closed: none() };
  return { add: (kind, state) => void (counts[state][kind] += 1), counts };
}

/** A text that the database's secret sealed, and the result of the last count of sealed values. */
export interface SecretCheck {
  readonly sealed: string;
  /** Values that need the earlier secret. */
  readonly earlier: number;
  /** Values that no secret opens. */
  readonly closed: number;
  readonly countedAt: number;
}

const names: Readonly<Record<SealedKind, readonly [one: string, several: string]>> = {
  alert_address: ["alert address", "alert addresses"],
  chat_webhook: ["chat webhook", "chat webhooks"],
  signed_webhook: ["signed webhook", "signed webhooks"],
  webhook_secrets: ["signing secret of a webhook", "signing secrets of webhooks"],
  waiting_address: ["address that waits for its code", "addresses that wait for their codes"],
  second_factor: ["second factor", "second factors"],
};

/** `2 alert addresses, 1 second factor`. */
export const countedWords = (counts: SealCounts, state: SealState): string =>
  sealedKinds
    .map((kind) => [counts[state][kind], names[kind][counts[state][kind] === 1 ? 0 : 1]] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(", ");

/** Why a secret is refused, in one line; `lost` says what to do if no copy of the right secret exists. */
export function refusedSecretWords(
  place: string,
  isThere: boolean,
  counts: SealCounts,
  lost: string,
): string {
  const closed = totalOfState(counts, "closed");
  const what = isThere
    ? `${place} is not the secret of this database`
    : `${place}, the file with the secret of this database, is missing`;
  const loss =
    closed === 0
      ? "none of its stored values is sealed"
      : `${closed} of its ${totalSealed(counts)} sealed values would be lost (${countedWords(counts, "closed")})`;
  return `${what}: ${loss}. Give the secret back that was in use; to replace it, set TICKMARK_SECRET to both, the new one first: NEW,OLD. ${lost}`;
}
