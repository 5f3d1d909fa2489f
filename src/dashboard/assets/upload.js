// Sends the chosen file as the body of a request, with the form token in a header.
const words = {
  sending: "Uploading…",
  lost: "The upload failed. Check the connection and try again.",
  stale: "This page is out of date. Reload it and try again.",
};

for (const form of document.querySelectorAll("form[data-upload]")) {
  const input = form.querySelector("input[type=file]");
  const button = form.querySelector("button");
  const status = form.querySelector("[role=status]");
  const say = (text, isBad) => {
    status.textContent = text;
    status.className = isBad ? "notice bad" : "";
  };
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (!file) return;
    button.disabled = true;
    say(words.sending, false);
    try {
      const answer = await fetch(form.dataset.upload, {
        method: "POST",
        body: await file.arrayBuffer(),
        headers: { "content-type": "application/octet-stream", "x-csrf-token": form.dataset.token },
      });
      const isJson = (answer.headers.get("content-type") ?? "").includes("json");
      const result = isJson ? await answer.json() : { message: words.stale };
      if (answer.ok && result.to) return location.assign(result.to);
      say(result.message ?? words.lost, true);
    } catch {
      say(words.lost, true);
    }
    button.disabled = false;
  });
}
