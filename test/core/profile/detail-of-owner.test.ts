import { describe, expect, it } from "vitest";
import { detailOf } from "../../../src/core/profile/detail.ts";
import type { DetailBody } from "../../../src/core/profile/profile-detail.ts";
import { get, market, shop, stacksDocument, tick, type Stacks } from "./any-profile.ts";

const detail = (stacks: Stacks, owner: string | null = null): DetailBody =>
  detailOf(stacksDocument(stacks), owner);

describe("of one owner", () => {
  it("[PRO-30] [PRO-31] [PRO-33] has its methods, and the stacks it is on with where it enters", () => {
    const { owner_filter, methods, paths, owners } = detail(market, "Shop");
    expect(owner_filter).toEqual({ requested: "Shop", matched: "Shop" });
    expect(methods.map(({ method }) => method)).toEqual(["net.example.Shop.run"]);
    expect(paths.map(({ ends_pct, owner_entry_depth }) => [ends_pct, owner_entry_depth])).toEqual([
      [35, 3],
      [30, 2],
      [20, 2],
    ]);
    expect(owners).toEqual(detail(market).owners);
  });

  it("[PRO-30] [PRO-33] [PRO-34] `other` is where a stack was cut, and enters there", () => {
    const stacks: Stacks = [...market, [`${tick} ${shop} !`, 70], [`${tick} ${shop} ! ${get}`, 30]];
    const { paths, owners } = detail(stacks, "other");
    expect(owners.find(({ owner }) => owner === "other")).toMatchObject({ self_pct: 35, total_pct: 50 });
    expect(paths.map(({ ends_pct, owner_entry_depth }) => [ends_pct, owner_entry_depth])).toEqual([
      [35, 3],
      [15, 3],
    ]);
    for (const { frames } of paths) expect(frames[2]).toEqual({ frame: null, owner: "other" });
  });

  it("[PRO-31] takes the exact name, else the only one that differs in case alone", () => {
    const twins: Stacks = [
      [shop, 3],
      ["shop:net.example.Other.run", 2],
      ["Menu:net.other.Menu.open", 1],
    ];
    const matched = (owner: string) => detail(twins, owner).owner_filter?.matched;
    expect([matched("Shop"), matched("shop"), matched("SHOP"), matched("mENU"), matched("server")]).toEqual([
      "Shop",
      "shop",
      null,
      "Menu",
      null,
    ]);
  });

  it.each(["Nobody", "SHOPS", ""])(
    "[PRO-31] a name of nobody, %j, leaves no method and no stack",
    (owner) => {
      const { owner_filter, methods, methods_truncated, paths, paths_truncated, owners } = detail(
        market,
        owner,
      );
      expect(owner_filter).toEqual({ requested: owner, matched: null });
      expect([methods, methods_truncated, paths, paths_truncated]).toEqual([[], false, [], false]);
      expect(owners).toEqual(detail(market).owners);
    },
  );
});
