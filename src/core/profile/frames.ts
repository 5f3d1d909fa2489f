import { builtInOwner, builtInOwners } from "../class-owner.ts";
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
  /** Whether the sender told the owner. */
  readonly isOwnerTold: boolean;
}

export interface Frames {
  readonly owners: readonly FrameOwner[];
  readonly methods: readonly FrameMethod[];
  /** The method of each frame of the document. */
  readonly methodOf: Int32Array;
}

type Frame = ProfileDocument["frames"][number];

/** An owner without a name is none that was told. */
const toldOwner = ({ owner }: Frame): string | null => (owner === "" ? null : owner);

/**
 * The owners and methods that a document's frames name, each once. A method's owner is the first one its frames tell,
 * else the one its class name tells. An owner is a plugin when one of its frames says so, the built-in ones never.
 */
export function framesOf(document: ProfileDocument): Frames {
  const frames = document.frames.map(({ frame, ...rest }) => ({
    ...rest,
    frame: frame === null ? null : lastingName(frame),
  }));
  const plugins = new Set<string>();
  const told = new Map<string, string>();
  for (const frame of frames) {
    const owner = toldOwner(frame);
    if (owner === null) continue;
    if (frame.plugin && !builtInOwners.has(owner)) plugins.add(owner);
    if (frame.frame !== null && !told.has(frame.frame)) told.set(frame.frame, owner);
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
  const methodIndex = new Map<string, number>();
  const cutIndex = new Map<string | null, number>();
  const methodOf = Int32Array.from(frames, (frame) => {
    const { frame: name } = frame;
    const owner = name === null ? toldOwner(frame) : (told.get(name) ?? null);
    const known = name === null ? cutIndex.get(owner) : methodIndex.get(name);
    if (known !== undefined) return known;
    if (name === null) cutIndex.set(owner, methods.length);
    else methodIndex.set(name, methods.length);
    const index = indexOfOwner(
      owner ?? (name === null ? "other" : builtInOwner(classOf(withoutParameters(name)))),
    );
    return methods.push({ name, owner: index, isOwnerTold: owner !== null }) - 1;
  });
  return { owners, methods, methodOf };
}
