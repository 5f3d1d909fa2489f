import { builtInOwner, builtInOwners, type BuiltInOwner } from "../class-owner.ts";
import type { ProfileDocument } from "./document.ts";
import { classOf, lastingName, withoutParameters } from "./frame-name.ts";

export interface FrameOwner {
  readonly name: string;
  readonly plugin: boolean;
}

/** `name` is null for the place of stacks that were cut. */
export interface FrameMethod {
  readonly name: string | null;
  /** The index in `owners`. */
  readonly owner: number;
}

export interface Frames {
  readonly owners: readonly FrameOwner[];
  readonly methods: readonly FrameMethod[];
  /** By frame of the document: the index of its method. */
  readonly methodOf: Int32Array;
}

type Frame = ProfileDocument["frames"][number];

/** The owner of code that no rule knows, and of samples that end in a cut stack. */
export const unknownOwner = "other" satisfies BuiltInOwner;

/** An empty name counts as no owner. */
const givenOwner = ({ owner }: Frame): string | null => (owner === "" ? null : owner);

/**
 * Each owner and method once. A method has the first owner that is reported for it, else that of its class
 * name; the place of cut stacks belongs to `other`. An owner is a plugin if one of its frames says so;
 * built-in ones never are.
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
