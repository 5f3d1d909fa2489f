import { canBeId } from "../../core/id-form.ts";
import type { Backend } from "../../contract/call/backend.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { View } from "./view.ts";

/** A longer address costs more context than it saves a person: the next template is taken. Characters. */
const longestUrl = 500;

/**
 * The page on which a signed-in person sees the same: the first template of the view that can be filled. Only ids and
 * our own words go in, never third-party text.
 */
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

/** Null where an id is missing that the path cannot do without. */
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

/** As the words are that an endpoint chooses from: an endpoint that answered has taken it for one of its own. */
const isWord = (value: unknown): value is string | boolean =>
  typeof value === "boolean" || (typeof value === "string" && /^[a-z0-9_.]{1,40}$/.test(value));
