import { z } from "zod";
import {
  assertionIn,
  challengeMs,
  type Assertion,
  type Passkey,
  type PasskeyParty,
  type Registration,
} from "../../core/access/passkey.ts";
import { selectPasskeyNamed, usePasskey } from "../../store/access/passkeys.ts";
import { consumeWindows } from "../../store/access/rate-windows.ts";
import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import type { AccountPolicy } from "./account-policy.ts";
import type { Secrets } from "./secrets.ts";

interface Using {
  readonly db: Database;
  readonly now: Instant;
  readonly secrets: Secrets;
  readonly people: AccountPolicy;
}

/** `holder`: the browser that may answer, by its session id, or else by a cookie that no script reads. */
interface ChallengeUse {
  readonly purpose: "sign_in" | "second_factor" | "new_passkey";
  readonly holder: string;
}

/** COSE numbers of EdDSA, ES256 and RS256: every device has one of them, and their answers are short. */
const algorithms = [-8, -7, -257];

/** The names are those of WebAuthn's JSON. */
export const PasskeyRequest = z.object({
  /** The sealed challenge, which the answer has to return. */
  sealed: z.string(),
  origin: z.string(),
  options: z.object({
    rpId: z.string(),
    challenge: z.string(),
    timeout: z.int(),
    userVerification: z.literal("required"),
    allowCredentials: z.array(z.object({ id: z.string(), transports: z.array(z.string()) })),
  }),
});
type PasskeyRequest = z.infer<typeof PasskeyRequest>;

export const NewPasskeyOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  timeout: z.int(),
  attestation: z.literal("none"),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  excludeCredentials: z.array(z.object({ id: z.string(), transports: z.array(z.string()) })),
});

const Sealed = z.object({ challenge: z.string(), until: z.int() });

const bindingOf = ({ purpose, holder }: ChallengeUse, { secrets }: Pick<Using, "secrets">): string =>
  `challenge ${purpose} ${secrets.digest(holder)}`;

/** The seal holds the time limit, and opens only for the same use. */
function newChallenge(use: ChallengeUse, context: Using): { challenge: string; sealed: string } {
  const { secrets, people, now } = context;
  const challenge = secrets.newNonce();
  const text = JSON.stringify({ challenge, until: now + challengeMs } satisfies z.infer<typeof Sealed>);
  return { challenge, sealed: people.factors.seal(text, bindingOf(use, context)) };
}

/** Null if the seal is too old, of another browser, or for another purpose. */
function openChallenge(sealed: string, use: ChallengeUse, context: Using): string | null {
  const text = context.people.factors.open(sealed, bindingOf(use, context));
  const opened = text === null ? null : Sealed.parse(JSON.parse(text));
  return opened !== null && opened.until > context.now ? opened.challenge : null;
}

const credentialsOf = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: transports.split(" ").filter((word) => word !== ""),
  }));

/** A device finds the account again by this handle, base64url. */
const handleOf = (accountId: string): string => Buffer.from(accountId).toString("base64url");

/** Without passkeys, any passkey of this service may answer. */
export function requestPasskey(
  use: ChallengeUse,
  party: PasskeyParty,
  passkeys: readonly Passkey[],
  context: Using,
): PasskeyRequest {
  const { challenge, sealed } = newChallenge(use, context);
  return {
    sealed,
    origin: party.origin,
    options: {
      rpId: party.id,
      challenge,
      timeout: challengeMs,
      userVerification: "required",
      allowCredentials: credentialsOf(passkeys),
    },
  };
}

export function requestNewPasskey(
  use: ChallengeUse,
  party: PasskeyParty,
  account: { readonly id: string; readonly email: string },
  passkeys: readonly Passkey[],
  context: Using,
): { sealed: string; options: z.infer<typeof NewPasskeyOptions> } {
  const { challenge, sealed } = newChallenge(use, context);
  return {
    sealed,
    options: {
      rp: { id: party.id, name: "Tickmark" },
      user: { id: handleOf(account.id), name: account.email, displayName: account.email },
      challenge,
      timeout: challengeMs,
      attestation: "none",
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      excludeCredentials: credentialsOf(passkeys),
    },
  };
}

/** Loaded when the first passkey is used: few starts need it. */
const library = () => import("@simplewebauthn/server");

/**
 * Whether an answer names no maker of the device. Other answers hold certificates of their sender's choice,
 * and the library would fetch their revocation lists.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
    const format = decoded.get("fmt");
    return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

/** A challenge is answered once in all processes: the first right answer uses it up. */
async function useChallenge(challenge: string, { db, now, secrets }: Using): Promise<boolean> {
  const window = {
    kind: "passkey_challenge" as const,
    key: secrets.digest(challenge),
    lengthMs: 2 * challengeMs,
    limit: 1,
  };
  return (await consumeWindows(db, [window], now)).granted;
}

/** Null unless everything about the answer is right; the challenge is then used up. */
export async function answeringPasskey(
  { challenge: sealed, answer }: Assertion,
  use: ChallengeUse,
  context: Using,
): Promise<Passkey | null> {
  const { db, now, people } = context;
  const party = people.passkeyParty();
  const challenge = openChallenge(sealed, use, context);
  const passkey = await db.read(selectPasskeyNamed, answer.id);
  if (party === null || challenge === null || passkey === null) return null;
  const { userHandle, ...response } = answer.response;
  if (userHandle && userHandle !== handleOf(passkey.accountId)) return null;
  const { verifyAuthenticationResponse } = await library();
  const checked = await verifyAuthenticationResponse({
    response: { ...answer, rawId: answer.id, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.counter,
    },
  }).catch(refusedAnswer);
  if (!checked?.verified || !(await useChallenge(challenge, context))) return null;
  const isUsed = await db.write(usePasskey, passkey.id, checked.authenticationInfo.newCounter, now);
  return isUsed ? passkey : null;
}

export async function isAnswerOf(
  accountId: string,
  typed: string,
  holder: string,
  context: Using,
): Promise<boolean> {
  const answer = assertionIn(typed);
  if (answer === null) return false;
  const passkey = await answeringPasskey(answer, { purpose: "second_factor", holder }, context);
  return passkey?.accountId === accountId;
}

/** The values to store; null unless everything about the answer is right. The challenge is then used up. */
export async function registeredPasskey(
  { response, ...answer }: Registration,
  sealed: string,
  use: ChallengeUse,
  context: Using,
): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports"> | null> {
  const party = context.people.passkeyParty();
  const challenge = openChallenge(sealed, use, context);
  if (party === null || challenge === null) return null;
  const { verifyRegistrationResponse } = await library();
  if (!(await isUnattested(response.attestationObject))) return null;
  const checked = await verifyRegistrationResponse({
    response: { ...answer, rawId: answer.id, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(refusedAnswer);
  if (!checked?.verified || !(await useChallenge(challenge, context))) return null;
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter,
    transports: response.transports.join(" "),
  };
}

/** The library throws for a wrong answer, and its message says more than a stranger should read. */
const refusedAnswer = (): null => null;
