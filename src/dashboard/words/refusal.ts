import type { FormProblem } from "../page.ts";
import { capitalised } from "./capitalised.ts";

/** `time_zone` becomes "Time zone". */
const nameOf = (field: string): string => capitalised(field.replaceAll("_", " "));

/** Beside a labelled field, "name takes …" becomes "Takes …"; elsewhere the field's name begins it. */
export function fieldRefusal({ message, field }: FormProblem, label: string | null = null): string {
  const words = message.replace(/ when metric is [a-z_]{1,40}(?=\.)/, "");
  if (field === null || !words.startsWith(`${field} `)) return words;
  const rest = words.slice(field.length + 1);
  if (label !== null && rest.startsWith("takes ")) return `T${rest.slice(1)}`;
  // The text after a label's comma is a unit.
  const [name] = (label ?? nameOf(field)).split(",");
  return `${name}${words.slice(field.length)}`;
}
