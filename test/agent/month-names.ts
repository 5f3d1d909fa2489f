import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Prints, for each month, its short names in every language of the JVM, by both of Java's formatters. */
const source = `
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.text.DateFormatSymbols;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.*;
public class MonthNames {
  public static void main(String[] args) {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    for (int month = 1; month <= 12; month++) {
      TreeSet<String> names = new TreeSet<>();
      List<Locale> locales = new ArrayList<>();
      for (String language : args) locales.add(Locale.forLanguageTag(language));
      for (Locale locale : args.length > 0 ? locales.toArray(Locale[]::new) : Locale.getAvailableLocales()) {
        names.add(DateTimeFormatter.ofPattern("MMM", locale).format(LocalDate.of(2026, month, 5)));
        names.add(DateFormatSymbols.getInstance(locale).getShortMonths()[month - 1]);
      }
      out.println(String.join("|", names));
    }
    out.flush();
  }
}
`;

/** The short names of each month, January first, that this JVM writes in these languages, or in all of its own. */
export function monthNamesOf(jdk: string, languages: readonly string[] = []): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-months-"));
  try {
    writeFileSync(join(folder, "MonthNames.java"), source);
    const java = join(jdk, "bin", "java");
    const given = ["-Xshare:auto", "MonthNames.java", ...languages];
    return monthsIn(execFileSync(java, given, { cwd: folder, encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const monthsIn = (text: string): readonly (readonly string[])[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("|"));

/** One line a month: what Java 17 and 25 write in all their languages. */
export const recordedMonths = (): readonly (readonly string[])[] =>
  monthsIn(readFileSync(new URL("month-names.txt", import.meta.url), "utf8"));
