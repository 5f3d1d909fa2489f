// Asks the browser for a passkey (WebAuthn), and sends its answer with the form. Bytes are base64url in JSON.

interface Credential {
  readonly id: string;
  readonly transports: readonly AuthenticatorTransport[];
}

interface GetRequest {
  readonly sealed: string;
  readonly options: {
    readonly rpId: string;
    readonly challenge: string;
    readonly timeout: number;
    readonly userVerification: UserVerificationRequirement;
    readonly allowCredentials: readonly Credential[];
  };
}

interface CreateOptions {
  readonly rp: PublicKeyCredentialRpEntity;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly challenge: string;
  readonly timeout: number;
  readonly attestation: AttestationConveyancePreference;
  readonly pubKeyCredParams: readonly PublicKeyCredentialParameters[];
  readonly authenticatorSelection: AuthenticatorSelectionCriteria;
  readonly excludeCredentials: readonly Credential[];
}

const words = {
  refused: "The browser used no passkey. Try again.",
  known: "This device already keeps a passkey of this account.",
  lost: "The service did not answer. Check the connection and try again.",
};

/** Shows the button of a place, or why there is none. */
export function offerPasskey(place: HTMLElement): void {
  const [button, status, form] = [
    place.querySelector("button"),
    place.querySelector("[role=status]"),
    place.closest("form"),
  ];
  if (!button || !status || !form) return;
  const { origin = "" } = place.dataset;
  const say = (text: string) => void (status.textContent = text);
  if (location.origin !== origin)
    return say(`Passkeys of this service work at ${origin}. Open the page there.`);
  if (typeof PublicKeyCredential === "undefined") return say("This browser offers no passkeys.");
  say("");
  button.hidden = false;
  let isAsking = false;
  button.addEventListener("click", () => {
    if (isAsking) return;
    const restore = withoutCode(form, place.dataset["field"] ?? "");
    if (!form.reportValidity()) return restore();
    isAsking = true;
    say("");
    void answerOf(place)
      .then(
        (answer) => send(form, place.dataset["field"] ?? "", answer),
        (error: unknown) => {
          restore();
          say(reasonOf(error));
        },
      )
      .finally(() => (isAsking = false));
  });
}

/** Disables the field for a typed code; the returned function enables it again. */
function withoutCode(form: HTMLFormElement, name: string): () => void {
  const field = form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  if (field) field.disabled = true;
  return () => void (field && (field.disabled = false));
}

function send(form: HTMLFormElement, name: string, answer: object): void {
  const field = Object.assign(document.createElement("input"), { type: "hidden", name });
  field.value = JSON.stringify(answer);
  form.append(field);
  form.requestSubmit();
}

async function answerOf(place: HTMLElement): Promise<object> {
  const { request = "", passkey } = place.dataset;
  if (passkey === "create") return created(JSON.parse(request) as CreateOptions);
  return got(request.startsWith("/") ? await fetched(request) : (JSON.parse(request) as GetRequest));
}

/** A reason of the service or the browser. */
class Refused extends Error {}

async function fetched(address: string): Promise<GetRequest> {
  const answer = await fetch(address, { headers: { accept: "application/json" } }).catch(() => null);
  if (!answer?.ok || answer.redirected) throw new Refused(words.lost);
  return (await answer.json()) as GetRequest;
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof DOMException) return error.name === "InvalidStateError" ? words.known : words.refused;
  return words.refused;
}

async function got({ sealed, options }: GetRequest): Promise<object> {
  const { rpId, timeout, userVerification, challenge, allowCredentials } = options;
  const credential = await navigator.credentials.get({
    publicKey: {
      rpId,
      timeout,
      userVerification,
      challenge: bytesOf(challenge),
      allowCredentials: allowCredentials.map(descriptor),
    },
  });
  if (!credential) throw new Refused(words.refused);
  const { id, response } = credential as PublicKeyCredential & { response: AuthenticatorAssertionResponse };
  return {
    challenge: sealed,
    answer: {
      id,
      type: "public-key",
      response: {
        clientDataJSON: textOf(response.clientDataJSON),
        authenticatorData: textOf(response.authenticatorData),
        signature: textOf(response.signature),
        userHandle: response.userHandle?.byteLength ? textOf(response.userHandle) : null,
      },
    },
  };
}

async function created(options: CreateOptions): Promise<object> {
  const { user, challenge, pubKeyCredParams, excludeCredentials, ...rest } = options;
  const credential = await navigator.credentials.create({
    publicKey: {
      ...rest,
      user: { ...user, id: bytesOf(user.id) },
      challenge: bytesOf(challenge),
      pubKeyCredParams: [...pubKeyCredParams],
      excludeCredentials: excludeCredentials.map(descriptor),
    },
  });
  if (!credential) throw new Refused(words.refused);
  const { id, response } = credential as PublicKeyCredential & { response: AuthenticatorAttestationResponse };
  return {
    id,
    type: "public-key",
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      // Older browsers do not have the method.
      transports: response.getTransports?.() ?? [],
    },
  };
}

const descriptor = ({ id, transports }: Credential): PublicKeyCredentialDescriptor => ({
  type: "public-key",
  id: bytesOf(id),
  transports: [...transports],
});

function bytesOf(text: string): ArrayBuffer {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer;
}

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
