import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Prints what a game server prints, in a known form, in an unknown one, or nowhere, and ends in the way it is told to. */
const source = String.raw`
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.time.*;
import java.time.format.*;
import java.util.*;
public class Game {
  static final File folder = new File(System.getProperty("user.dir"));
  static String form;
  static volatile boolean isReady;
  static PrintWriter out;
  static final String time() { return LocalTime.now().format(DateTimeFormatter.ofPattern("HH:mm:ss")); }
  static synchronized void raw(String line) { if (out != null && form.equals("known")) out.println(line); }
  static synchronized void log(String level, String message) {
    if (out == null) return;
    if (form.equals("known")) out.println("[" + time() + "] [Server thread/" + level + "]: " + message);
    else out.println(level.toLowerCase() + " # " + time() + " # " + message.replace(' ', '_'));
  }
  static void open() throws Exception {
    if (form.equals("none")) return;
    File logs = new File(folder, "logs");
    logs.mkdirs();
    File latest = new File(logs, "latest.log");
    if (latest.exists()) latest.renameTo(new File(logs, LocalDate.now() + "-" + logs.list().length + ".log"));
    out = new PrintWriter(new FileOutputStream(latest, true), true);
  }
  static void report(String what) throws Exception {
    File reports = new File(folder, "crash-reports");
    reports.mkdirs();
    String name = "crash-" + LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyy-MM-dd_HH.mm.ss")) + "-server.txt";
    Files.writeString(new File(reports, name).toPath(), "---- Minecraft Crash Report ----\n// Hi\n\nTime: now\nDescription: " + what + "\n");
    log("ERROR", "This crash report has been saved to: " + new File(reports, name));
  }
  static void fail(String how) throws Exception {
    switch (how) {
      case "port": case "address":
        log("WARN", "**** FAILED TO BIND TO PORT!");
        log("WARN", "The exception was: java.net.BindException: " + (how.equals("port") ? "Address already in use" : "Cannot assign requested address"));
        log("INFO", "Stopping server");
        break;
      case "world":
        log("ERROR", "Failed to start the minecraft server");
        raw("net.minecraft.util.DirectoryLock$LockException: /srv/mc/./world/session.lock: already locked (possibly by other Minecraft instance?)");
        break;
      case "eula": log("INFO", "You need to agree to the EULA in order to run the server. Go to eula.txt for more info."); break;
      case "mods":
        log("ERROR", "Incompatible mods found!");
        raw("net.fabricmc.loader.impl.FormattedException: Some of your mods are incompatible with the game or each other!");
        raw("\t - Mod 'Friendly Beasts' (friendlybeasts) 3.0.9 requires any version of fabric, which is missing!");
        break;
      case "newer":
        log("ERROR", "Failed to start the minecraft server");
        raw("java.lang.RuntimeException: Server attempted to load chunk saved with newer version of minecraft! 4671 > 3465");
        break;
    }
    System.exit(1);
  }
  public static void main(String[] args) throws Exception {
    form = args[1];
    String failing = args[2];
    open();
    if (!failing.equals("-") && !failing.equals("second")) {
      if (failing.equals("port") || failing.equals("address") || failing.equals("newer")) log("INFO", "Starting minecraft server version 1.21.8");
      System.out.println("loading");
      System.in.read();
      fail(failing);
    }
    log("INFO", "Starting minecraft server version 1.21.8");
    ServerSocket listening;
    try { listening = new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getLoopbackAddress()); }
    catch (BindException taken) { fail("port"); return; }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> { if (isReady) log("INFO", "Stopping server"); }));
    log("INFO", "Done (0.5s)! For help, type \"help\"");
    isReady = true;
    System.out.println("ready");
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      switch (line) {
        case "stop": log("INFO", "Stopping the server"); isReady = false; System.exit(0);
        case "crash":
          log("ERROR", "Encountered an unexpected exception");
          raw("java.lang.IllegalStateException: no such block");
          report("Exception in server tick loop");
          log("INFO", "Stopping server"); isReady = false; System.exit(1);
        case "watchdog":
          log("ERROR", "A single server tick took 60.00 seconds (should be max 0.05)");
          log("ERROR", "Considering it to be crashed, server will forcibly shutdown.");
          report("Watching Server");
          Runtime.getRuntime().halt(1);
        case "memory":
          List<byte[]> kept = new ArrayList<>();
          try { while (true) kept.add(new byte[256 * 1024]); }
          catch (OutOfMemoryError full) {
            kept = null;
            log("ERROR", "Encountered an unexpected exception");
            raw("java.lang.OutOfMemoryError: Java heap space");
            report("Exception in server tick loop");
            isReady = false; System.exit(1);
          }
      }
    }
    while (true) Thread.sleep(1000);
  }
}
`;

/** A folder with the compiled program. */
export function compiled(jdk: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tickmark-ending-")));
  writeFileSync(join(folder, "Game.java"), source);
  execFileSync(join(jdk, "bin/javac"), ["Game.java"], { cwd: folder, stdio: "inherit" });
  return folder;
}

export type LogForm = "known" | "unknown" | "none";

export interface Start {
  readonly jdk: string;
  readonly classes: string;
  readonly folder: string;
  readonly port: number;
  readonly form: LogForm;
  /** The way in which the start fails once something is written to it; none for a server that runs. */
  readonly fails?: string;
  readonly options?: readonly string[];
  /** Puts the process into a control group before it begins. */
  readonly group?: string;
}

/** Resolves when it is ready, or has begun to load where its start fails. */
export async function startServer(start: Start): Promise<ChildProcess> {
  mkdirSync(start.folder, { recursive: true });
  const how = start.fails ?? "-";
  const command = [
    join(start.jdk, "bin/java"),
    "-Xmx32m",
    "-Xms32m",
    "-XX:+UseSerialGC",
    ...(start.options ?? []),
    "-cp",
    start.classes,
    "Game",
    String(start.port),
    start.form,
    how,
  ];
  const inGroup = start.group === undefined ? "" : `echo $$ > ${start.group}/cgroup.procs; `;
  const child = spawn("sh", ["-c", `ulimit -c 0; ${inGroup}exec "$@"`, "sh", ...command], {
    cwd: start.folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  if (!child.stdout) throw new Error("No output.");
  if (how !== "second") await once(createInterface({ input: child.stdout }), "line");
  return child;
}
