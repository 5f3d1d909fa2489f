import type { FormProblem } from "../page.ts";

/** A code as a person reads it: `time_zone` becomes "Time zone". */
const nameOf = (field: string): string =>
  field.slice(0, 1).toUpperCase() + field.slice(1).replaceAll("_", " ");

/** The reason of a refused form in the words of the form: the label of the field stands in the place of its name. */
export function fieldRefusal({ message, field }: FormProblem, label: string | null = null): string {
  const words = message.replace(/ when metric is [a-z_]+(?=\.)/, "");
  if (field === null || !words.startsWith(`${field} `)) return words;
  // What follows the comma of a label is a unit.
  const [name] = (label ?? nameOf(field)).split(",");
  return `${name}${words.slice(field.length)}`;
}
