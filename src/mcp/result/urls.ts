import { canBeId } from "../../core/id-form.ts";
import type { Backend } from "../../contract/call/backend.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { View } from "./view.ts";

/** Characters. A longer address costs more context than it saves a person: the next template is tried. */
const longestUrl = 500;

/** The first template that can be filled. Only ids and our own words go in, never third-party text. */
export async function urlsOf(
  { urls = [] }: Pick<View<Outline>, "urls">,
  args: Readonly<Record<string, unknown>>,
  answer: unknown,
  backend: Pick<Backend, "baseUrl">,
): Promise<readonly string[]> {
  for (const template of urls) {
    const path = filled(template, args, answer);
    if (path !== null && path.length <= longestUrl) return [(await backend.baseUrl()) + path];
  }
  return [];
}

const placeholder = /\{(?:answer\.([\w.]+)|(\w+))\}/g;

/** Null if an id of the path is missing. */
function filled(template: string, args: Readonly<Record<string, unknown>>, answer: unknown): string | null {
  const [path = "", names = "}"] = template.split("{?", 2);
  let isWhole = true;
  const whole = path.replaceAll(placeholder, (_, member: string | undefined, argument: string) => {
    const id = member === undefined ? args[argument] : memberAt(answer, member);
    if (isId(id)) return encodeURIComponent(id);
    isWhole = false;
    return "";
  });
  if (!isWhole) return null;
  const query = names
    .slice(0, -1)
    .split(",")
    .flatMap((name) => {
      const values = [args[name] ?? []].flat();
      if (values.length === 0 || !values.every((value) => isId(value) || isWord(value))) return [];
      return [`${name}=${values.map(encodeURIComponent).join(",")}`];
    });
  return query.length > 0 ? `${whole}?${query.join("&")}` : whole;
}

const memberAt = (answer: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), answer);

const isId = (value: unknown): value is string =>
  typeof value === "string" && canBeId(value, "full_or_short");

/** The form of an endpoint's own words: an endpoint that answered has accepted the value as one of them. */
const isWord = (value: unknown): value is string | boolean =>
  typeof value === "boolean" || (typeof value === "string" && /^[a-z0-9_.]{1,40}$/.test(value));
