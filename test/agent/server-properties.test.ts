import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseProperties, propertiesText, propertiesOf } from "../../src/agent/install/server-properties.ts";

/** What java.util.Properties.store writes, by its documentation, with any of the separators that load takes. */
function written(key: string, value: string, separator: string, byCode: boolean): string {
  const escape = (text: string, blanks: "all" | "first"): string =>
    [...text]
      .flatMap((character) => [...Array(character.length).keys()].map((at) => character[at] ?? ""))
      .map((unit, index) => {
        const named = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f" }[unit];
        if (named !== undefined) return named;
        if (unit === " ") return blanks === "all" || index === 0 ? "\\ " : " ";
        if ("\\=:#!".includes(unit)) return `\\${unit}`;
        const code = unit.charCodeAt(0);
        const isPlain = code >= 0x20 && code <= 0x7e;
        return isPlain && !byCode ? unit : `\\u${code.toString(16).padStart(4, "0")}`;
      })
      .join("");
  return `${escape(key, "all")}${separator}${escape(value, "first")}`;
}

const text = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(...[..." \\=:#!\t\r\nu0"].map((c) => c.charCodeAt(0)))))
  .map((codes) => String.fromCharCode(...codes));
// An empty key needs a separator that can be seen.
const entries = fc.dictionary(
  text.filter((key) => key !== ""),
  text,
);
const separators = fc.constantFrom("=", ":", " ", "\t", " = ", "  :  ");
const ends = fc.constantFrom("\n", "\r\n", "\r");

describe("server.properties", () => {
  it("[OUR-AGH-02] gives back every key and value that Java could have written", () => {
    fc.assert(
      fc.property(entries, separators, ends, fc.boolean(), (entries, separator, end, byCode) => {
        const lines = Object.entries(entries).map(([key, value]) => written(key, value, separator, byCode));
        const text = ["# Minecraft server properties", " ! made by a test", "", ...lines].join(end);
        expect(parseProperties(text)).toEqual(new Map(Object.entries(entries)));
      }),
    );
  });

  it.each([
    ["a=1\\\n   2", [["a", "12"]]],
    [
      "a=1\\\\\nb=2",
      [
        ["a", "1\\"],
        ["b", "2"],
      ],
    ],
    ["a=1\\\n#2\n", [["a", "1#2"]]],
    ["a", [["a", ""]]],
    ["=x", [["", "x"]]],
    ["a==x", [["a", "=x"]]],
    ["a=1\na=2", [["a", "2"]]],
    ["a=\\u00e4\\u12", [["a", "äu12"]]],
    ["motd=\\u00A7aHi\\: there ", [["motd", "§aHi: there "]]],
    ["a=1\\", [["a", "1"]]],
  ] as const)("[OUR-AGH-02] reads %j as Java does", (text, entries) => {
    expect([...parseProperties(text)]).toEqual(entries);
  });

  it("[OUR-AGH-16] takes any text and any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const settings = propertiesOf(parseProperties(propertiesText(bytes)));
        expect(settings.port).toBeGreaterThan(0);
      }),
    );
    const long = `${"\\".repeat(200_000)}\n${"a ".repeat(200_000)}`;
    expect(parseProperties(long).size).toBe(2);
  });

  it("[OUR-AGH-02] an old server's bytes are ISO 8859-1, a new one's UTF-8", () => {
    expect(propertiesText(Buffer.from("rcon.password=grün", "latin1"))).toBe("rcon.password=grün");
    expect(propertiesText(Buffer.from("rcon.password=grün", "utf8"))).toBe("rcon.password=grün");
  });

  it("[OUR-AGH-02] tells where the server is reached, and why RCON is not", () => {
    const read = (text: string) => propertiesOf(parseProperties(text));
    const on = "server-ip=10.0.0.5\nserver-port=25566\nenable-rcon=true\nrcon.password=p\nrcon.port=1";
    expect(read(on)).toMatchObject({
      host: "10.0.0.5",
      port: 25_566,
      rcon: { port: 1, password: "p" },
      rconLacks: null,
    });
    expect(read("server-port=99999")).toMatchObject({
      host: "127.0.0.1",
      port: 25_565,
      rcon: null,
      rconLacks: "switch",
    });
    expect(read("server-ip=0.0.0.0\nenable-rcon=TRUE")).toMatchObject({
      host: "127.0.0.1",
      rconLacks: "password",
    });
    expect(read("enable-rcon=true\nrcon.password=p").rcon?.port).toBe(25_575);
  });
});
