import type { FormProblem } from "../page.ts";
import { capitalised } from "./capitalised.ts";

/** A code as a person reads it: `time_zone` becomes "Time zone". */
const nameOf = (field: string): string => capitalised(field.replaceAll("_", " "));

/**
 * The reason of a refused form in the words of the form. Beside a field, which has its label, the sentence "name takes …"
 * needs no subject; elsewhere the name of the field begins it.
 */
export function fieldRefusal({ message, field }: FormProblem, label: string | null = null): string {
  const words = message.replace(/ when metric is [a-z_]{1,40}(?=\.)/, "");
  if (field === null || !words.startsWith(`${field} `)) return words;
  const rest = words.slice(field.length + 1);
  if (label !== null && rest.startsWith("takes ")) return `T${rest.slice(1)}`;
  // What follows the comma of a label is a unit.
  const [name] = (label ?? nameOf(field)).split(",");
  return `${name}${words.slice(field.length)}`;
}
