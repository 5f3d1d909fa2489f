import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";

let service: TestService;
let token: string;
let server: LinkedServer;

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  const owner = await service.account();
  server = await service.server(owner);
  token = await service.token(owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const get = (path: string): Promise<Answer> => service.request("GET", `/api/v1${path}`, { token });
const patch = (body: unknown, query = ""): Promise<Answer> =>
  service.request("PATCH", `/api/v1/servers/${server.id}${query}`, { token, body });

describe("query parameters", () => {
  const integers = [
    "0x10",
    "1e1",
    "+1",
    "%2B1",
    "-1",
    "%201",
    "1%20",
    "1.0",
    "1,0",
    "0b1",
    "0o7",
    "Infinity",
    "NaN",
    "null",
    "true",
    "%D9%A1",
    "1_0",
    "99999999999999999999",
    "0",
    "101",
  ];
  const booleans = ["TRUE", "True", "1", "0", "yes", "null", "%20true", "true%20", "true,true"];
  const wrong: readonly (readonly [string, string])[] = [
    ...integers.map((text) => ["limit", `/servers?limit=${text}`] as const),
    ...booleans.map((text) => ["verified", `/servers?verified=${text}`] as const),
    ["mine", "/reports?mine=TRUE"],
    ["visibility", "/reports?visibility=Public"],
    ["visibility", "/reports?visibility=public%20"],
    ["benchmark_mode", "/reports?benchmark_mode=custom,standard"],
    ["owner", "/servers?owner=you"],
    ["server_id", "/reports?server_id=1"],
    ["server_type", `/reports?server_type=${"x".repeat(65)}`],
    ["limit", "/servers?limit=1&limit=1"],
    ["limit", "/servers?limit=1&limit=2"],
    ["limit", "/servers?limit[]=1&limit="],
    ["limit", "/servers?limit="],
    ["limit", "/servers?limit"],
    ["verified", "/servers?verified="],
    ["cursor", "/servers?cursor="],
    ["server_type", "/reports?server_type="],
    ["limt", "/servers?limt=1"],
    ["Limit", "/servers?Limit=1"],
    ["page", "/servers?page=2"],
    ["__proto__", "/servers?__proto__=1"],
    ["constructor", "/servers?constructor=1"],
    ["server_id", `/servers/x/status?server_id=x`],
    ["limit", "/server-groups?limit=1"],
    ["limit", "/token?limit=1"],
  ];

  it("[PAG-05] [OUR-HTTP-06] one that is unknown, repeated, empty or not written as its type is 400 by name", async () => {
    for (const [field, path] of wrong) {
      const { status, json } = await get(path);
      const named = path.includes("[]") ? undefined : field;
      expect([path, status, json["error"], json["field"]]).toEqual([path, 400, "validation_error", named]);
    }
    console.log(`strict query decoding: ${wrong.length} misspelt parameters, none accepted`);
  });

  it("[OUR-HTTP-06] a name that is more than a name is not echoed", async () => {
    for (const name of ["%3Cscript%3E", "ignore%20all", "x".repeat(65), "%00", "%zz", ""]) {
      const { status, json, text } = await get(`/servers?${name}=1`);
      expect([status, json["error"], json["field"]]).toEqual([400, "validation_error", undefined]);
      expect(text).not.toMatch(/script|ignore|xxx/);
    }
  });

  it("[PAG-03] limit is 25 unless given, 1 to 100", async () => {
    for (const path of [
      "/servers",
      "/servers?limit=1",
      "/servers?limit=100",
      "/servers?limit=007",
      "/servers?",
      "/servers?&&",
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    }
  });
});

describe("bodies", () => {
  it("[ERR-03] a field outside the list is refused with the list in document order, before any value", async () => {
    const allowed = ["name", "is_public", "show_address_on_report", "notify_on_report"];
    for (const body of [
      { nme: "x" },
      { name: 7, extra: 1 },
      { server_id: server.id },
      { group_id: null },
      '{"__proto__":{"a":1}}',
      { constructor: 1 },
    ]) {
      const { status, json } = await patch(body);
      expect([status, json["error"], json["allowed_fields"]]).toEqual([400, "field_not_allowed", allowed]);
    }
    const twice = await patch('{"name":"a","name":"b","extra":1}');
    expect(twice.json["error"]).toBe("field_not_allowed");
  });

  it("[OUR-HTTP-05] bytes before shape before names before values", async () => {
    const order: readonly (readonly [string, unknown, string?])[] = [
      ["invalid_json", "{'name':1}", "?x=1"],
      ["invalid_json", ""],
      ["invalid_json", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ["invalid_body", "[".repeat(5000) + "]".repeat(5000), "?x=1"],
      ["invalid_body", "null"],
      ["invalid_body", '"name"'],
      ["field_not_allowed", `{"extra":${"[".repeat(5000)}${"]".repeat(5000)}}`, "?x=1"],
      ["validation_error", { name: "B" }, "?x=1"],
      ["validation_error", { name: "B" }, "?name=C"],
      ["validation_error", { name: 7 }],
      ["validation_error", {}],
      ["validation_error", '{"name":1e999}'],
    ];
    for (const [error, body, query] of order) {
      const answer = await patch(body, query);
      expect([answer.status, answer.json["error"]]).toEqual([400, error]);
    }
  });

  it("[OUR-HTTP-12] depth 32 and 1,000 members are the most, and reads go on after any monster", async () => {
    const nested = (depth: number): string => `{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    for (const body of [nested(32), nested(5000), `{"name":${"9".repeat(400)}}`]) {
      const { json } = await patch(body);
      expect([json["error"], json["field"]]).toEqual(["validation_error", undefined]);
    }
    expect((await patch(nested(31))).json["field"]).toBe("name");
    // Of one name: a call takes fewer that differ (OUR-HTTP-17).
    const wide = (members: number) => `{"name":{${Array.from({ length: members }, () => '"k":1').join()}}}`;
    const { json } = await patch(wide(1001));
    expect([json["error"], json["field"]]).toEqual(["validation_error", undefined]);
    expect((await patch(wide(1000))).json["field"]).toBe("name");
    expect((await get("/servers")).status).toBe(200);
  });

  it("[OUR-HTTP-06] JSON types are taken as they are: no text for a number or boolean, no null where none is", async () => {
    for (const body of [
      { is_public: "true" },
      { is_public: 1 },
      { is_public: null },
      { name: null },
      { name: 7 },
      { name: ["a"] },
    ]) {
      const { status, json } = await patch(body);
      expect([status, json["error"], json["field"]]).toEqual([400, "validation_error", Object.keys(body)[0]]);
    }
  });

  it("[OUR-HTTP-06] an empty PATCH is refused and names the fields", async () => {
    const { status, json } = await patch({});
    expect([status, json["error"]]).toEqual([400, "validation_error"]);
    expect(json["allowed_fields"]).toEqual([
      "name",
      "is_public",
      "show_address_on_report",
      "notify_on_report",
    ]);
  });

  it("[OUR-HTTP-05] only application/json is read, with parameters and in any case", async () => {
    for (const type of [
      "application/json",
      "application/json; charset=utf-8",
      "APPLICATION/JSON",
      "application/json\t;x=1",
    ]) {
      const answer = await service.request("PATCH", `/api/v1/servers/${server.id}`, {
        token,
        body: { name: "B" },
        headers: { "content-type": type },
      });
      expect([type, answer.status]).toEqual([type, 200]);
    }
    for (const type of [
      "",
      "text/plain",
      "garbage",
      "application/jsonp",
      "application/json, text/plain",
      "application/x-www-form-urlencoded",
    ]) {
      const answer = await service.request("PATCH", `/api/v1/servers/${server.id}`, {
        token,
        body: { name: "C" },
        headers: { "content-type": type },
      });
      expect([type, answer.status, answer.json["error"]]).toEqual([type, 400, "invalid_body"]);
    }
    const packed = await service.request("PATCH", `/api/v1/servers/${server.id}`, {
      token,
      body: { name: "C" },
      headers: { "content-encoding": "gzip" },
    });
    expect(packed.json["error"]).toBe("invalid_body");
    expect(rowsOf(await get("/servers"))[0]?.["name"]).toBe("B");
  });
});

describe("identifiers that cannot be one", () => {
  const impossible = [
    "1",
    "null",
    "%00",
    "..%2F..%2Fetc",
    "%2e%2e",
    "%F0%9F%92%A3",
    "{id}",
    ":id",
    "*",
    "' OR 1=1--".replaceAll(" ", "%20"),
    "6F1C0C52-8A39-7C5E-9D5B-0C6A3C1F2B11",
    "6f1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b11",
    "0000000000000",
    // Two of these in one path stay below the longest head a request may have.
    "a".repeat(7000),
  ];

  it("[OUR-HTTP-07] are 404 in every path, byte for byte the answer for what does not exist", async () => {
    const inPaths = apiEndpoints.filter(({ path }) => path.includes("{"));
    let asked = 0;
    for (const { method, path, example, fields, bodyFields } of inPaths) {
      const members = Object.entries(example.input as object).filter(([name]) => bodyFields.includes(name));
      const inputs = Object.entries(example.input as Record<string, string>);
      const query = new URLSearchParams(inputs.filter(([name]) => fields.get(name)?.place === "query"));
      const ask = (id: string) =>
        service.request(method, `/api/v1${path.replaceAll(/\{\w+\}/g, id)}?${query}`, {
          token,
          ...(bodyFields.length > 0 && { body: Object.fromEntries(members) }),
        });
      const absent = await ask(service.app.secrets.newId(service.app.clock()));
      expect([path, absent.status]).toEqual([path, 404]);
      for (const id of impossible) {
        const answer = await ask(id);
        asked += 1;
        expect([path, id, answer.status, answer.text]).toEqual([path, id, 404, absent.text]);
      }
    }
    console.log(`identifiers that cannot be one: ${asked} paths, all 404 like an absent one`);
  });

  it("[OUR-HTTP-07] are 404 where a parameter or body names the resource, and 400 as a filter", async () => {
    expect((await get("/reports/compare?base=1&other=2")).json["error"]).toBe("not_found");
    const grouped = await service.request("PUT", `/api/v1/servers/${server.id}/group`, {
      token,
      body: { group_id: "1" },
    });
    expect(grouped.json["error"]).toBe("not_found");
    for (const filter of ["/reports?server_id=1", "/servers?owner=1"])
      expect((await get(filter)).json["error"]).toBe("validation_error");
  });
});
