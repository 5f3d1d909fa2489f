import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { visible } from "../../../src/core/text/plain-words.ts";
import { corpus, fits, hasCorpus } from "../../support/corpus.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import { readHtml, type ReadPage } from "../../support/html.ts";
import { listedOffer } from "../../support/offer.ts";
import { startTestService, type Json, type LinkedServer, type TestService } from "../../support/service.ts";
import { unitTestPayload } from "../../support/unit-test.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let server: LinkedServer;
let own: Visitor;
beforeAll(async () => {
  service = await startTestService();
  const author = await service.account();
  server = await service.server(author);
  own = await signedIn(service, author);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const read = async (path: string, who = own): Promise<ReadPage> => readHtml((await who.get(path)).text);

/** Of each attribute how often it is there: an address that changes is the same attribute. */
const names = ({ attributes }: ReadPage): string[] => attributes.map(([name]) => name);

const benign = "ordinary words";

/** Short texts in every slot of a report and a single test that its plugin fills. */
const facts = (text: (max: number) => string): Json => ({
  server: {
    type: text(64),
    type_name: text(64),
    build: text(64),
    game_version: text(64),
    mod_loader: text(64),
    os_name: text(120),
    java_version: text(120),
  },
  hardware: { cpu_name: text(120), disk_type: text(32) },
});

/** An account that has nothing else, so that its pages list nothing else. */
async function pagesOf(text: (max: number) => string): Promise<ReadPage[]> {
  const author = await service.account();
  const server = await service.server(author);
  const who = await signedIn(service, author);
  const report = await service.report(server, {
    ...facts(text),
    hosting_tier: text(64),
    description: text(4000),
  });
  const body = unitTestPayload({
    ...facts(text),
    display_name: text(120),
    test_name: text(120),
    category: text(64),
    sub_category: text(64),
    reason_code: text(64),
    description: text(4000),
    metrics: { [text(100)]: text(1000) },
  });
  const sent = await service.request("POST", "/plugin/v1/unit-tests", { token: server.credential, body });
  const [test = ""] = (sent.json["ids"] ?? []) as string[];
  const paths = [
    `/reports/${report.id}`,
    `/reports/compare?base=${report.id}&other=${report.id}`,
    `/unit-tests/${test}`,
    "/reports?mine=true&limit=1",
    "/unit-tests?mine=true&limit=1",
  ];
  return Promise.all(paths.map((path) => read(path, who)));
}

it("[OUR-RPG-15] a game server's names add nothing to any page", async () => {
  const plain = await pagesOf(() => benign);
  for (const hostile of reportedStrings) {
    const pages = await pagesOf((max) => [...hostile].slice(0, max).join(""));
    for (const [index, page] of pages.entries()) {
      expect(page.elements).toEqual(plain[index]?.elements);
      expect(names(page)).toEqual(names(plain[index] ?? page));
    }
    expect(pages[0]?.text).toContain(visible([...hostile].slice(0, 120).join("")));
  }
});

it.skipIf(!hasCorpus)("[OUR-RPG-15] recorded attack texts stay text in descriptions and notes", async () => {
  const { id } = await service.report(server);
  const { db } = service.app;
  const kept = async (text: string): Promise<ReadPage> => {
    await db.write(changeReport, id, { description: text, privateNotes: text });
    return read(`/reports/${id}`);
  };
  const plain = await kept(benign);
  const texts = [...corpus("third_party_text"), ...corpus("benign_controls")].filter((text) =>
    fits(text, 4000),
  );
  let elements = 0;
  for (const joined of batches(texts, 4000)) {
    const page = await kept(joined);
    expect(page.elements).toEqual(plain.elements);
    expect(names(page)).toEqual(names(plain));
    // Shown as the description, and as it is in the two fields it and the notes are edited in.
    const isVisible = visible(joined) === joined;
    expect(page.text.split(visible(joined))).toHaveLength(isVisible ? 4 : 2);
    if (!isVisible) expect(page.text.split(joined)).toHaveLength(3);
    elements += page.elements.length;
  }
  console.log(`${texts.length} texts, ${elements} elements read, 0 added`);
});

it("[OUR-RPG-15] an offer's names and addresses add nothing either, and lead only where pages are", async () => {
  const { db } = service.app;
  const now = service.app.clock();
  await db.write(
    importOfferList,
    [listedOffer("hostile", { name: benign, url: "https://foundry.example" })],
    now,
  );
  const plain = await read("/offers");
  for (const hostile of reportedStrings) {
    await db.write(
      importOfferList,
      [
        listedOffer("hostile", {
          name: hostile.slice(0, 120),
          location: hostile.slice(0, 120),
          cpu_name: hostile.slice(0, 120),
          url: `https://foundry.example/${hostile}`,
        }),
      ],
      now,
    );
    const page = await read("/offers");
    expect(page.elements).toEqual(plain.elements);
    expect(names(page)).toEqual(names(plain));
  }
});

/** Joins texts as long as together they are no longer than that. */
function batches(texts: readonly string[], max: number): string[] {
  const joined: string[] = [];
  let current = "";
  for (const text of texts) {
    const next = current === "" ? text : `${current}\n${text}`;
    if (fits(next, max)) current = next;
    else {
      joined.push(current);
      current = text;
    }
  }
  return [...joined, current];
}
