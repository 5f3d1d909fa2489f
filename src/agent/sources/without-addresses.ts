const ip4 = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5})?/g;
const colons = /(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?![\w:])/gi;
const home = /(home|Users)[/\\][^/\\\s:]{1,64}/g;

/** A time of day has two colons, and no `::`. */
const isAddress = (found: string): boolean =>
  found.length > 2 && (found.includes("::") || found.split(":").length > 4);

/** Replaces addresses of players, and names of people in paths. */
export const withoutAddresses = (text: string): string =>
  text
    .replace(ip4, "[address]")
    .replace(colons, (found) => (isAddress(found) ? "[address]" : found))
    .replace(home, "$1/[name]");
