/** Characters. The longest webhook addresses in use stay below 300. */
const longest = 2048;
/** Below it only 443 may be called: other low ports belong to mail, directories and the like. */
const firstFreePort = 1024;

/**
 * Null unless https, without credentials, on port 443 or one from 1024. The host is checked only when a
 * message is sent, because its name can point elsewhere by then.
 */
export function webhookUrl(text: string): URL | null {
  if (text.length > longest || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPortFree = url.port === "" || Number(url.port) >= firstFreePort;
  return url.protocol === "https:" && url.username + url.password === "" && isPortFree ? url : null;
}
