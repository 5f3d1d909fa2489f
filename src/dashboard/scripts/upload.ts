// Sends the chosen file as the request's body, with the form token in a header.
const words = {
  sending: "Uploading…",
  lost: "The upload failed. Check the connection and try again.",
  stale: "This page is out of date. Reload it and try again.",
};

interface Answer {
  readonly to?: string;
  readonly message?: string;
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-upload]")) start(form);

function start(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>("input[type=file]");
  const button = form.querySelector("button");
  const status = form.querySelector("[role=status]");
  if (!input || !button || !status) return;
  const say = (text: string, isBad: boolean) => {
    status.textContent = text;
    status.className = isBad ? "notice bad" : "";
    button.disabled = !isBad;
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (!file) return;
    say(words.sending, false);
    void send(form, file).then(
      ({ to, message }) => (to === undefined ? say(message ?? words.lost, true) : location.assign(to)),
      () => say(words.lost, true),
    );
  });
}

async function send(form: HTMLFormElement, file: File): Promise<Answer> {
  const answer = await fetch(form.dataset["upload"] ?? "", {
    method: "POST",
    body: await file.arrayBuffer(),
    headers: { "content-type": "application/octet-stream", "x-csrf-token": form.dataset["token"] ?? "" },
  });
  const isJson = (answer.headers.get("content-type") ?? "").includes("json");
  if (!isJson) return { message: words.stale };
  const { to, message } = (await answer.json()) as Answer;
  return answer.ok && to !== undefined ? { to } : { message: message ?? words.lost };
}
