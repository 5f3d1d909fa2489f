import { builtInOwner, builtInOwners, type BuiltInOwner } from "../class-owner.ts";
import type { ProfileDocument } from "./document.ts";
import { classOf, lastingName, withoutParameters } from "./frame-name.ts";

export interface FrameOwner {
  readonly name: string;
  readonly plugin: boolean;
}

/** A method as stacks name it; the place of stacks that were cut has no name. */
export interface FrameMethod {
  readonly name: string | null;
  /** Index of its owner. */
  readonly owner: number;
}

export interface Frames {
  readonly owners: readonly FrameOwner[];
  readonly methods: readonly FrameMethod[];
  /** The method of each frame of the document. */
  readonly methodOf: Int32Array;
}

type Frame = ProfileDocument["frames"][number];

/** Whose the code is that no rule knows, and whatever ends where a stack was cut. */
export const unknownOwner = "other" satisfies BuiltInOwner;

/** An owner without a name counts as no owner. */
const givenOwner = ({ owner }: Frame): string | null => (owner === "" ? null : owner);

/**
 * The owners and methods that a document's frames name, each once. A method's owner is the first one its frames tell,
 * else the one its class name tells; whose the place of cut stacks is nobody knows, so it is `other`'s. An owner is a
 * plugin when one of its frames says so, the built-in ones never.
 */
export function framesOf(document: ProfileDocument): Frames {
  const frames = document.frames.map(({ frame, ...rest }) => ({
    ...rest,
    frame: frame === null ? null : lastingName(frame),
  }));
  const plugins = new Set<string>();
  const names = new Map<string, string>();
  for (const frame of frames) {
    const owner = givenOwner(frame);
    if (owner === null) continue;
    if (frame.plugin && !builtInOwners.has(owner)) plugins.add(owner);
    if (frame.frame !== null && !names.has(frame.frame)) names.set(frame.frame, owner);
  }

  const owners: FrameOwner[] = [];
  const ownerIndex = new Map<string, number>();
  const indexOfOwner = (name: string): number => {
    const known = ownerIndex.get(name);
    if (known !== undefined) return known;
    ownerIndex.set(name, owners.length);
    return owners.push({ name, plugin: plugins.has(name) }) - 1;
  };

  const methods: FrameMethod[] = [];
  const methodIndex = new Map<string | null, number>();
  const ownerOf = (name: string): string => names.get(name) ?? builtInOwner(classOf(withoutParameters(name)));
  const methodOf = Int32Array.from(frames, ({ frame: name }) => {
    const known = methodIndex.get(name);
    if (known !== undefined) return known;
    methodIndex.set(name, methods.length);
    return methods.push({ name, owner: indexOfOwner(name === null ? unknownOwner : ownerOf(name)) }) - 1;
  });
  return { owners, methods, methodOf };
}
