import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Action, TypedAction } from "../../src/contract/endpoint/action.ts";
import { filesBelow } from "../gates/sources.ts";

const isAction = (value: unknown): value is Action =>
  typeof value === "object" && value !== null && "run" in value && "who" in value;

/** Every action that a file of `src/actions` exports, by the name of its export. */
export async function allActions(): Promise<ReadonlyMap<string, Action>> {
  const files = filesBelow(["src/actions"], ".ts");
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(resolve(file)).href) as Promise<Record<string, unknown>>),
  );
  return new Map(
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]) => (isAction(value) ? [[name, value] as const] : [])),
    ),
  );
}

/** The action of that id. */
export function actionOf(actions: ReadonlyMap<string, Action>, id: string): TypedAction {
  const found = [...actions.values()].find((one) => one.id === id);
  if (!found) throw new Error(`No action is called ${id}.`);
  return found as TypedAction;
}
