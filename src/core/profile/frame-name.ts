/**
 * The part of a lambda's class that differs in every run: `$$Lambda/0x00007f4fc8aa5690`,
 * `$$Lambda$512/1804094807`, or with a dot.
 */
const lambdaAddress = /(\$\$Lambda)(?:\$\d+)?[./](?:0x[0-9a-f]+|\d+)/gi;

/** The name without parts that differ in every run of the server. */
export const lastingName = (frame: string): string =>
  frame.includes("$$Lambda") ? frame.replaceAll(lambdaAddress, "$1") : frame;

/** `net.example.Shop.tick` of `net.example.Shop.tick(int)`: some profilers add the parameters. */
export function withoutParameters(frame: string): string {
  const parameters = frame.indexOf("(");
  return parameters < 0 ? frame : frame.slice(0, parameters);
}

/** `net.example.Shop` of `net.example.Shop.tick`; a name without a dot as it is. */
export function classOf(method: string): string {
  const dot = method.lastIndexOf(".");
  return dot < 0 ? method : method.slice(0, dot);
}
