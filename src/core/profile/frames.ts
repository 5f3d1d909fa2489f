import { builtInOwner, builtInOwners, type BuiltInOwner } from "../class-owner.ts";
import { categoryOf } from "./categories.ts";
import { maxFrames, type ProfileDocument } from "./document.ts";
import { classOf, lastingName, withoutParameters } from "./frame-name.ts";
import { isMachineCode } from "./machine-code.ts";

export interface FrameOwner {
  readonly name: string;
  readonly plugin: boolean;
}

/** `name` is null for the place of stacks that were cut. */
export interface FrameMethod {
  readonly name: string | null;
  /** The index in `owners`. */
  readonly owner: number;
  readonly machineCode: boolean;
}

export interface Frames {
  readonly owners: readonly FrameOwner[];
  readonly methods: readonly FrameMethod[];
  /** By node of the document: the index of its method. */
  readonly methodOf: Int32Array;
}

type Frame = ProfileDocument["frames"][number];

/** The owner of code that no rule knows, and of samples that end in a cut stack. */
export const unknownOwner = "other" satisfies BuiltInOwner;

const jvm = "jvm" satisfies BuiltInOwner;

/** An empty name counts as no owner. */
const givenOwner = ({ owner }: Frame): string | null => (owner === "" ? null : owner);

/** Whose a frame is: its own owner's, its caller's, or that of the nearest caller outside the JVM. */
type Belongs = "itself" | "to its caller" | "to who waits";

interface Known {
  readonly name: string | null;
  readonly owner: number;
  readonly belongs: Belongs;
}

/** Packages of so many parts and more say whose a class is: `net.example.shop` does, `net.example` does not. */
const leastParts = 3;
/** The parts of a package that are looked at. */
const mostParts = 8;

/** What is reported of the frames: the owner of each name, class and package, and the owners that are plugins. */
class Reported {
  readonly plugins = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #classes = new Map<string, string>();
  /** Null for a package with classes of several owners. */
  readonly #packages = new Map<string, string | null>();

  add(name: string | null, frame: Frame): void {
    const owner = givenOwner(frame);
    if (owner === null) return;
    if (frame.plugin && !builtInOwners.has(owner)) this.plugins.add(owner);
    if (name === null || this.#names.has(name)) return;
    this.#names.set(name, owner);
    const inClass = outerClassOf(name);
    if (this.#classes.has(inClass)) return;
    this.#classes.set(inClass, owner);
    for (const parts of packagesOf(inClass)) {
      const known = this.#packages.get(parts);
      this.#packages.set(parts, known === undefined || known === owner ? owner : null);
    }
  }

  ownerOf(name: string): string | null {
    return this.#names.get(name) ?? (isLambda(name) ? this.#ownerAround(outerClassOf(name)) : null);
  }

  /** The owner of a class, else that of all classes in the nearest package that has some, if the name tells no owner. */
  #ownerAround(inClass: string): string | null {
    const known = this.#classes.get(inClass);
    if (known !== undefined) return known;
    if (builtInOwner(inClass) !== unknownOwner) return null;
    const nearest = packagesOf(inClass).find((parts) => this.#packages.has(parts));
    return nearest === undefined ? null : (this.#packages.get(nearest) ?? null);
  }
}

/** The packages around a class, the innermost first. */
function packagesOf(inClass: string): string[] {
  const parts = inClass.split(".", mostParts + 1).slice(0, -1);
  return parts.slice(leastParts - 1).map((_, index) => parts.slice(0, parts.length - index).join("."));
}

const isLambda = (name: string): boolean => name.includes("$$Lambda");

/** `net.example.Shop` of a method of `net.example.Shop$$Lambda` or `net.example.Shop$Stock`. */
function outerClassOf(name: string): string {
  const inClass = classOf(withoutParameters(name));
  const nested = inClass.indexOf("$", 1);
  return nested < 0 ? inClass : inClass.slice(0, nested);
}

/** Each owner once, in the order in which it is found. */
class Owners {
  readonly list: FrameOwner[] = [];
  readonly #index = new Map<string, number>();
  readonly #plugins: ReadonlySet<string>;

  constructor(plugins: ReadonlySet<string>) {
    this.#plugins = plugins;
  }

  indexOf(name: string): number {
    const known = this.#index.get(name);
    if (known !== undefined) return known;
    this.#index.set(name, this.list.length);
    return this.list.push({ name, plugin: this.#plugins.has(name) }) - 1;
  }
}

function knownFrame(name: string | null, reported: Reported, owners: Owners): Known {
  if (name === null) return { name, owner: owners.indexOf(unknownOwner), belongs: "itself" };
  const given = reported.ownerOf(name);
  if (given !== null) return { name, owner: owners.indexOf(given), belongs: "itself" };
  if (isMachineCode(name)) return { name, owner: owners.indexOf(unknownOwner), belongs: "to its caller" };
  const owner = builtInOwner(classOf(withoutParameters(name)));
  const isWait = owner === jvm && categoryOf(name) === "waiting";
  return { name, owner: owners.indexOf(owner), belongs: isWait ? "to who waits" : "itself" };
}

/**
 * Each owner once, and each method once for each of its owners. A method has the first owner that is reported for it; a
 * lambda without one has that of the class it was given to, or of the package; else the class name decides. Machine code has no class, and is
 * its caller's. The JVM's code that waits is that of who waits: a sleeping server does not keep the JVM busy. The
 * place of cut stacks belongs to `other`. An owner is a plugin if one of its frames says so; built-in ones never are.
 */
export function framesOf(document: ProfileDocument): Frames {
  const names = document.frames.map(({ frame }) => (frame === null ? null : lastingName(frame)));
  const reported = new Reported();
  for (const [index, frame] of document.frames.entries()) reported.add(names[index] ?? null, frame);
  const owners = new Owners(reported.plugins);
  const distinct = new Map<string | null, number>();
  const known: Known[] = [];
  const knownAt = Int32Array.from(names, (name) => {
    const place = distinct.get(name);
    if (place !== undefined) return place;
    distinct.set(name, known.length);
    return known.push(knownFrame(name, reported, owners)) - 1;
  });
  return { owners: owners.list, ...methodsOfNodes(document.nodes, knownAt, known, owners.indexOf(jvm)) };
}

/** Nodes come after their callers. */
function methodsOfNodes(
  nodes: ProfileDocument["nodes"],
  knownAt: Int32Array,
  known: readonly Known[],
  jvmOwner: number,
): Pick<Frames, "methods" | "methodOf"> {
  const methods: FrameMethod[] = [];
  const methodIndex = new Map<number, number>();
  const methodOf = new Int32Array(nodes.length);
  const ownerAt = new Int32Array(nodes.length);
  /** The owner of the nearest frame outside the JVM, this one included. */
  const outsideAt = new Int32Array(nodes.length);
  for (const [index, { parent, frame }] of nodes.entries()) {
    const place = knownAt[frame] ?? 0;
    const { name, owner: own, belongs } = known[place] ?? { name: null, owner: 0, belongs: "itself" };
    const callers = belongs === "to its caller" ? ownerAt[parent] : outsideAt[parent];
    const owner = belongs === "itself" ? own : (callers ?? own);
    ownerAt[index] = owner;
    outsideAt[index] = owner === jvmOwner ? (outsideAt[parent] ?? owner) : owner;
    const key = owner * (maxFrames + 1) + place;
    let method = methodIndex.get(key);
    if (method === undefined) {
      method = methods.push({ name, owner, machineCode: belongs === "to its caller" }) - 1;
      methodIndex.set(key, method);
    }
    methodOf[index] = method;
  }
  return { methods, methodOf };
}
