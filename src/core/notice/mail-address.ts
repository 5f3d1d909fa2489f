export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** Characters; RFC 5321, 4.5.3.1: a path has 256 octets, angle brackets included. */
const longest = { address: 254, local: 64, domain: 253, label: 63 };

const dotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const labelForm = /^[a-z0-9-]+$/i;

const isLabel = (label: string): boolean =>
  label.length <= longest.label && labelForm.test(label) && !label.startsWith("-") && !label.endsWith("-");

/**
 * Accepts one plain ASCII address: dot-atom, at sign, host name. Other forms of RFC 5322 (comments, quoted
 * local parts, address literals, folding white space) are refused.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > longest.address) return false;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (local.length > longest.local || !dotAtom.test(local)) return false;
  const labels = domain.split(".");
  return domain.length <= longest.domain && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1) ?? "");
}

/** Reads `address` or `Name <address>`; null for anything else. */
export function mailSender(text: string): MailSender | null {
  const [, name = "", bracketed] = /^([^<>"\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  return isMailAddress(address) ? { name: name.trim(), address } : null;
}

/** Shows enough for the owner to recognise the address: `a…@example.org`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf("@");
  return `${at > 1 ? address.slice(0, 1) : ""}…${address.slice(Math.max(at, 0))}`;
}
