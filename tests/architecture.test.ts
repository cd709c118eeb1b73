import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve("src");
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => relative(src, join(folder, file)));
/** The sources of the server and of the development server, relative to src/. */
const files = [...sourcesIn(src), ...sourcesIn(resolve("development"))];
/** The commands of an operator, who has the image alone. */
const operatorCommands = ["certificate.ts", "compare-events", "reconcile", "recount"];
const commandFiles = sourcesIn(resolve("ops")).filter((file) => operatorCommands.includes(file.split("/")[2] ?? ""));

/** Every specifier of static and dynamic imports; those of types unless `types` is false. */
function specifiersOf(path: string, { types = true } = {}): string[] {
  const all = readFileSync(path, "utf8");
  const text = types ? all : all.replace(/^(import|export) type [^;]*;/gm, "");
  return [...text.matchAll(/^(?:import|export|\})[^;"=(]*from "([^"]+)"|^import "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
}

/** Source files that a file imports, relative to src/. */
const importsOf = (file: string, options: { types: boolean }): string[] =>
  specifiersOf(join(src, file), options)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(src, resolve(src, dirname(file), specifier)).replace(/\.js$/, ".ts"));

const graph = new Map(files.map((file) => [file, importsOf(file, { types: true })]));

/** `@scope/name` or `name` of a specifier such as `name/part`. */
const packageOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

interface Manifest {
  name: string;
  folder: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifest = (folder: string): Manifest => ({
  ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  folder,
});

const workspaces = readdirSync("packages").map((name) => manifest(resolve("packages", name)));

/** The files that `main.ts` reaches: what runs in production. */
function productionFiles(): string[] {
  const reached = new Set(["main.ts"]);
  for (const file of reached) for (const target of importsOf(file, { types: false })) reached.add(target);
  return [...reached].filter((file) => files.includes(file));
}

/** The module a file is in: the first folder, and for the API its feature too. */
function moduleOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  if (first === "..") return second;
  if (first === "api" && second.endsWith(".ts")) return "api";
  return first === "api" ? `api/${second}` : file.includes("/") ? first : "entry";
}

/** The modules that everything above the services may import. */
const beneath = ["lib", "db", "models", "providers", "services", "http", "entry"];

/** What each module may import beside itself. Entries (files directly in src/) may import anything. */
const allowed: Record<string, string[]> = {
  lib: [],
  http: ["lib", "models"],
  models: ["lib"],
  db: ["lib", "models"],
  providers: ["lib", "models", "entry"],
  services: ["lib", "db", "models", "providers", "entry"],
  jobs: beneath,
  webhooks: beneath,
  cli: beneath,
  development: [...beneath, "jobs", "cli"],
  // Shapes that several features reply with.
  api: ["lib", "http", "models"],
};
/** Entries that modules may import: they name no other entry and start nothing. */
const importableEntries = new Set(["deps.ts", "config.ts"]);

test("imports point one way and features are strangers to one another", () => {
  const wrong: string[] = [];
  for (const [file, imports] of graph) {
    const from = moduleOf(file);
    // The services receive what deps.ts names.
    if (file === "deps.ts") wrong.push(...imports.filter((target) => moduleOf(target) === "services"));
    if (from === "entry") continue;
    for (const target of imports) {
      const to = moduleOf(target);
      const may = from.startsWith("api/") ? ["api", ...beneath] : (allowed[from] ?? []);
      const entryIsFine = to !== "entry" || ["cli", "development"].includes(from) || importableEntries.has(target);
      if (to !== from && !(may.includes(to) && entryIsFine)) wrong.push(`${file} → ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Cycles among imports, such as `a.ts → b.ts → a.ts`. */
function cyclesIn(): string[] {
  const all = [...files, ...commandFiles];
  const imports = new Map(all.map((file) => [file, importsOf(file, { types: true })]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of all) visit(file, []);
  return cycles;
}

test("texts are brought to a normal form by one function, because the method is slow for many marks in a row", () => {
  const callers = files.filter((file) => readFileSync(join(src, file), "utf8").includes(".normalize("));
  expect(callers).toEqual(["lib/normal-form.ts"]);
});

test("there are no import cycles, not even of types", () => {
  expect(cyclesIn()).toEqual([]);
});

test("what the image has of ops/ imports the server by its name there, and production packages", () => {
  expect(JSON.parse(readFileSync("ops/tsconfig.json", "utf8")).include).toEqual(operatorCommands);
  const { dependencies = {} } = manifest(resolve("."));
  expect(commandFiles.length).toBeGreaterThan(10);
  const wrong = commandFiles.flatMap((file) =>
    specifiersOf(join(src, file))
      .filter((one) => !/^(\.\.?\/(?!\.|src\/)|node:|#server\/)/.test(one) && !(packageOf(one) in dependencies))
      .map((one) => `${file} → ${one}`),
  );
  expect(wrong).toEqual([]);
});

test("the server imports nothing of the development server, of other folders, or of the packages for development", () => {
  const server = files.filter((file) => moduleOf(file) !== "development");
  expect(server.filter((file) => graph.get(file)?.some((target) => target.startsWith("..")))).toEqual([]);
  const own = workspaces.map(({ name }) => name);
  expect(own).toEqual(["@lyceum/certificate-pdf", "@lyceum/embedded-mongo", "@lyceum/provider-emulators"]);
  const forDevelopment = own.filter((name) => name !== "@lyceum/certificate-pdf");
  const importers = server.filter((file) =>
    // Types too: production is built without the packages.
    specifiersOf(join(src, file)).some(
      (specifier) => forDevelopment.includes(packageOf(specifier)) || /packages\//.test(specifier),
    ),
  );
  expect(importers).toEqual([]);
});

test("a package imports nothing of the server, and only packages that it declares", () => {
  const wrong: string[] = [];
  for (const { folder, dependencies = {}, peerDependencies = {}, devDependencies = {} } of workspaces) {
    const runtime = { ...dependencies, ...peerDependencies };
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/\.[jt]s$/.test(name) || /^(node_modules|dist)\//.test(name)) continue;
      const declared = /^(src|bin)\//.test(name) ? runtime : { ...runtime, ...devDependencies };
      for (const specifier of specifiersOf(join(folder, name))) {
        const stays = resolve(folder, dirname(name), specifier).startsWith(`${folder}/`);
        const fine = specifier.startsWith(".")
          ? stays
          : /^(node:|#)/.test(specifier) || packageOf(specifier) in declared;
        if (!fine) wrong.push(`${relative(".", join(folder, name))} → ${specifier}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("what the server imports at run time is among its dependencies", () => {
  const { dependencies } = manifest(resolve("."));
  const production = productionFiles();
  expect(production.length).toBeGreaterThan(100);
  const foreign = production.flatMap((file) =>
    specifiersOf(join(src, file), { types: false })
      .filter((specifier) => !/^(\.|node:)/.test(specifier) && !(packageOf(specifier) in (dependencies ?? {})))
      .map((specifier) => `${file} → ${specifier}`),
  );
  expect(foreign).toEqual([]);
});

test("what takes long to load is loaded when it is used", () => {
  const late = [
    "@lyceum/certificate-pdf",
    "cloudinary",
    "file-type",
    "markdown-it",
    "nodemailer",
    "openai",
    "razorpay",
    "redis",
  ];
  late.push("sanitize-html", "svix", "umzug", "undici");
  const reached = new Set(["main.ts"]);
  const atStart = new Set<string>();
  for (const file of reached) {
    const text = readFileSync(join(src, file), "utf8").replace(/^(import|export) type [^;]*;/gm, "");
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export|\})[^;"=(]*from "([^"]+)"/gm)) {
      if (specifier.startsWith(".")) reached.add(join(dirname(file), specifier).replace(/\.js$/, ".ts"));
      else atStart.add(specifier);
    }
  }
  expect(atStart).toContain("mongoose");
  expect(late.filter((name) => atStart.has(name))).toEqual([]);
});

test("every log line has a stable event id, and operations.md lists them all", () => {
  const sources = [...files, ...commandFiles].map((file) => [file, readFileSync(join(src, file), "utf8")] as const);
  const call = /\blog(?:\.(?:trace|debug|info|warn|error|fatal)|\[[^\]]*\])\((?!\s*\{\s*eventId(: "[a-z_]+"|,))/;
  expect(sources.filter(([, text]) => call.test(text)).map(([file]) => file)).toEqual([]);
  const used = new Set(sources.flatMap(([, text]) => [...text.matchAll(/eventId: "(\w+)"/g)].map(([, id]) => id)));
  const section = /## Log events\n(.*?)\n## /s.exec(readFileSync("docs/operations.md", "utf8"))?.[1] ?? "";
  const listed = [...section.matchAll(/^\| `(\w+)` +\|/gm)].map(([, id]) => id).filter((id) => id !== "eventId");
  expect(listed.sort()).toEqual([...used].sort());
});

/** Codes of failures that the contract gives several texts or statuses. */
const spokenDifferently = [
  "chat_not_found",
  "course_not_found",
  "course_not_purchased",
  "unauthenticated",
  "user_not_found",
];

test("an id of a log line or of a failure has one text", () => {
  const sources = [...files, ...commandFiles].map((file) => readFileSync(join(src, file), "utf8")).join("\n");
  const textsOf = (pattern: RegExp) => {
    const texts = new Map<string, Set<string>>();
    for (const [, id = "", text = ""] of sources.matchAll(pattern))
      texts.set(id, (texts.get(id) ?? new Set()).add(text));
    return texts;
  };
  const several = (texts: Map<string, Set<string>>) => [...texts].flatMap(([id, { size }]) => (size > 1 ? [id] : []));
  const logged = textsOf(/eventId: "(\w+)"[^"`;]*(?:\},\s*|says: )("[^"]*"|`[^`]*`)/g);
  const failures = textsOf(/failure\(\s*"(\w+)",\s*(\d+,\s*"[^"]*")/g);
  expect(logged.size).toBeGreaterThan(30);
  expect(failures.size).toBeGreaterThan(100);
  expect(several(logged)).toEqual([]);
  expect(several(failures).sort()).toEqual(spokenDifferently);
});

test("the environment is read in one place", () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(join(src, file), "utf8")));
  expect(readers.filter((file) => file !== "process.ts")).toEqual([]);
});

test("requests are sent by the clients of providers and the sender of webhooks alone", () => {
  const sends = /\bfetch\(|["']undici["']|\bhttps?\.(get|request)\(/;
  const senders = productionFiles().filter((file) => sends.test(readFileSync(join(src, file), "utf8")));
  // The keys of the identity provider.
  const elsewhere = senders.filter((file) => !file.startsWith("providers/"));
  expect(elsewhere).toEqual(["http/auth/key-set.ts"]);
});

test("a feature's folder has a routes file, and a schemas file unless the schemas are short", () => {
  const inApi = files.filter((file) => file.startsWith("api/"));
  const folders = new Set(inApi.map(dirname).filter((folder) => folder !== "api"));
  const wrong = [...folders].flatMap((folder) => {
    const isParent = [...folders].some((other) => dirname(other) === folder);
    const path = `${folder}/${folder.split("/").at(-1)}`;
    const parts = inApi.filter((file) => dirname(file) === folder && /\.\w+\.ts$/.test(file));
    const required = isParent ? [] : [`${path}.routes.ts`];
    const schemas = isParent ? [] : [`${path}.schemas.ts`];
    const strangers = parts.filter((file) => !required.includes(file) && !schemas.includes(file));
    const short = parts.filter((file) => readFileSync(join(src, file), "utf8").split("\n").length <= 20);
    const missing = required.filter((file) => !parts.includes(file));
    return [...strangers, ...short, ...missing];
  });
  expect(wrong).toEqual([]);
});

/** Files that write a purchase beside its settlement, and what they write. None of it decides about money or access. */
const otherWritesOfPurchases: Record<string, string> = {
  "services/payments/place-order.ts": "opens it: who makes its order",
  "services/payments/reconcile/check-schedule.ts": "when the provider is asked",
  "services/payments/reconcile/reconcile-purchase.ts": "when the provider is asked",
  "services/invoices/number-invoices.ts": "numbers of documents",
  "services/privacy/erase-sales.ts": "whose it is",
  "services/migrations/migrations.ts": "flags that a version before has put into events",
  "models/payments/purchase-queries.ts": "named queries of these",
  "../development/demo/load-demo.ts": "the demo's rows",
  "../development/demo/load-large.ts": "the demo's rows",
};

const textOf = (file: string) => readFileSync(join(src, file), "utf8");
const importing = (name: string) =>
  files.filter((file) => new RegExp(`import \\{[^}]*\\b${name}\\b`).test(textOf(file)));

test("a purchase has one writer after it was opened, and its state one place that decides it", () => {
  const writes =
    /\.Purchase(\)\s*)?\.(update|findOneAndUpdate|findByIdAndUpdate|bulkWrite|delete|create|insert|replace)/;
  expect(files.filter((file) => writes.test(textOf(file))).sort()).toEqual(Object.keys(otherWritesOfPurchases).sort());
  expect(importing("storePurchase")).toEqual(["services/payments/settle-purchase.ts"]);
  expect(importing("storePayment")).toEqual(["services/payments/settle-purchase.ts"]);
  expect(importing("positionOf")).toEqual(["services/payments/settle-purchase.ts"]);
});

test("one file decides whether a course is completed, and completes it", () => {
  expect(importing("setProgressCompleted")).toEqual(["services/learning/completion.ts"]);
  const deciding = files.filter((file) => /\brequiredPercent === null/.test(textOf(file)));
  expect(deciding).toEqual(["services/learning/completion.ts"]);
});

/** Reaches for a model's own collection: by the functions that give it, or directly. */
const nativeQuery =
  /\/native-collection\.js"|\b[A-Z]\w*\.collection\b(?!\.(name|collectionName)\b)|\.collection\(|\.db\??\.command\(\{ (?!ping|hello)/;

test("native-driver queries are in models/ only, as named queries", () => {
  const wrong = files.filter(
    (file) => moduleOf(file) !== "models" && nativeQuery.test(readFileSync(join(src, file), "utf8")),
  );
  expect(wrong).toEqual([]);
});

test("a native-driver query outside payments names its measurement", () => {
  const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
  const wrong = files.filter((file) => {
    if (!file.startsWith("models/") || /^models\/(payments|native-collection)/.test(file)) return false;
    const text = readFileSync(join(src, file), "utf8");
    return count(text, /nativeCollection\(/g) > count(text, /\(decision \d+\)/g);
  });
  expect(wrong).toEqual([]);
});

/** What reaches into a library, or silences the compiler about it. */
const privateUse: Record<string, RegExp> = {
  "cast to never or any": /\bas (?:never|any)\b|: any\b|<any>/,
  prototype: /\.prototype\b|\b__proto__\b|\bObject\.setPrototypeOf\(/,
  reflection: /\bReflect\./,
  "generated code": /\bnew Function\(|\beval\(/,
  "deep import": /(?:from|import\(|require\w*\() ?"(?:@[^/"]+\/)?[^./"][^/"]*\/(?:lib|dist|src|build|cjs|esm)\//,
  "private member": /(?<!\bthis)[\w)\]]\??\._(?!id\b)[a-z]\w*|\[["']_(?!id\b)\w+["']\]/,
  "replaced method": /^\s*\w+(?:\.\w+)*\.\w+ = (?:async )?(?:function\b|\([^)]*\) =>|\w+ =>|Object\.assign\()/m,
  "spread of a literal": /\.\.\.\{/,
};

/** Uses that have no public way, each with its reason. */
const allowedPrivateUse: Record<string, string[]> = {
  // `classesOf` replaces Express's classes of requests and responses, as its guide says; its comment has the measurement.
  "http/pipeline/connections.ts": ["prototype"],
  // A write of the database driver that never ends (decision 15).
  "db/driver-faults.ts": ["deep import", "replaced method"],
};

/** Without comments and texts. Module names of imports stay. */
const codeOf = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1")
    .replace(/(?<!(?:from|import\(|require\w*\() ?)"(?:[^"\\\n]|\\.)*"(?!\])/g, '""');

// tests/http/managed-courses.test.ts sends requests for foreign courses to every route.
test("a manager reaches a course only by the check of managed-course.ts", () => {
  const source = (file: string) => codeOf(readFileSync(join(src, file), "utf8"));
  const check = "services/courses/managed-course.ts";
  // Nothing else makes a `ManagedCourse`, or reads the courses of a manager.
  const forged = files.filter((file) => file !== check && /(?:\bas|<)\s*ManagedCourse\b/.test(source(file)));
  expect(forged).toEqual([]);
  const reading = (file: string) => /\bdb\.Course\.find/.test(source(file)) && /\bmanager\b/.test(source(file));
  const unchecked = files.filter((file) => file !== check && reading(file) && !graph.get(file)?.includes(check));
  expect(unchecked).toEqual([]);
  // No route compares owners itself.
  const comparing = files.filter((file) => file.startsWith("api/") && /\beducatorId [!=]==/.test(source(file)));
  expect(comparing).toEqual([]);
});

test("libraries are used by their public APIs only", () => {
  const wrong = files.flatMap((file) => {
    const code = codeOf(readFileSync(join(src, file), "utf8"));
    return Object.entries(privateUse)
      .filter(([use, pattern]) => pattern.test(code) && !allowedPrivateUse[file]?.includes(use))
      .map(([use, pattern]) => `${file}: ${use}: ${pattern.exec(code)?.[0].trim()}`);
  });
  expect(wrong).toEqual([]);
  // An exception that is not needed any more goes.
  const unused = Object.entries(allowedPrivateUse).flatMap(([file, uses]) =>
    uses.filter((use) => !privateUse[use]?.test(codeOf(readFileSync(join(src, file), "utf8")))),
  );
  expect(unused).toEqual([]);
});

/** Values at module level that change while the server runs. Tables that are filled where they are declared do not. */
const mutableState =
  /^(?:export )?(?:let |const \w+(?:: [^=\n]+)? = new (?:Map|Set|WeakMap|WeakSet|LRUCache|EventEmitter)\b(?:<[^\n]*>)?\(\)|const \w+(?:: (?!readonly )[^=\n]+)? = (?:new (?:WeakMap|LRUCache|PQueue|AsyncLock|\w+Budget)\b|create(?!Require)[A-Z]|\[\];|\{\};))/m;

test("no mutable state is at module level, so that two servers run in one process", () => {
  const stateful = files.filter((file) => mutableState.test(codeOf(readFileSync(join(src, file), "utf8"))));
  expect(stateful).toEqual([]);
});

test("the API asks services: it imports no queries, and uses no model and no transaction", () => {
  const source = (file: string) => codeOf(readFileSync(join(src, file), "utf8"));
  const inApi = files.filter((file) => file.startsWith("api/"));
  // A query of a model takes the models as its argument.
  const queries = files.filter((file) => file.startsWith("models/") && /\b\w+: Models\b/.test(source(file)));
  expect(queries.length).toBeGreaterThan(5);
  const imported = inApi.flatMap((file) =>
    importsOf(file, { types: false })
      .filter((target) => queries.includes(target))
      .map((target) => `${file} → ${target}`),
  );
  expect(imported).toEqual([]);
  expect(inApi.filter((file) => /\bdb\.(?:[A-Z]|transaction\b)/.test(source(file)))).toEqual([]);
});

test("time is bounded in one way: by within.ts", () => {
  const other = /\bAbortSignal\.timeout\b|from "p-timeout"/;
  expect(files.filter((file) => other.test(codeOf(readFileSync(join(src, file), "utf8"))))).toEqual([]);
});

test("nothing is called utils, helpers or common", () => {
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|common)(\.ts|\/)/.test(file))).toEqual([]);
});

/** Files beside the worker that compute a back-off, and why. */
const backoffs: Record<string, string> = {
  "jobs/record-failures.ts": "the worker",
  "providers/mail/mail-server-state.ts": "pauses between connections, not rows",
  "services/certificates/change-certificate.ts": "a request waits for another change of the certificate",
  "services/certificates/issue-certificate.ts":
    "a request that fails delays the job's attempt, and waits for another production",
  "services/educators/write-role-at-provider.ts": "a request and the job claim an application by its date",
  "services/mail/send-mail.ts": "the result of an attempt holds the next date, in one write",
  "services/payments/events/apply-payment-event.ts": "the request that stores an event makes the first attempt",
  "services/payments/reconcile/check-schedule.ts": "the next question depends on the purchase, too",
};
/** Files beside the worker that read rows by their due dates, and why. */
const dueReads: Record<string, string> = {
  "jobs/due-dates.ts": "the worker",
  "services/educators/write-role-at-provider.ts": "claims one row",
  "services/invoices/number-invoices.ts": "a request numbers the documents before its own",
  "services/notices/make-notices.ts": "checks again in the transaction",
  "services/payments/reconcile/reconcile-purchases.ts": "an operator's command asks before rows are due",
  "services/webhooks/deliver-due.ts": "each webhook has lanes of its own",
};

test("only the worker works through due rows", () => {
  const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]));
  const filesWith = (pattern: RegExp) =>
    [...texts].flatMap(([file, text]) => (file.startsWith("..") || !pattern.test(text) ? [] : [file])).sort();
  const backoffImport = /import [^;]*backoffMs[^;]*lib\/backoff/;
  expect(filesWith(backoffImport)).toEqual(Object.keys(backoffs).sort());
  const jobs = [...texts].flatMap(([file, text]) => (file.startsWith("jobs/") ? [text] : [])).join("\n");
  // Other rows have dates of these names too, and access ends without a job.
  const others = ["boughtUntil", "expiresAt", "startedAt"];
  const dates = [...jobs.matchAll(/(?:dueRows|dueBatch|ownLoop)\(\s*[\w.]+,\s*"(\w+)"/g)].flatMap(([, date = ""]) =>
    others.includes(date) ? [] : [date],
  );
  expect(dates).toContain("nextAttemptAt");
  expect(dates).toContain("noticeDueAt");
  const read = new RegExp(`(\\[field\\]|\\b(${[...new Set(dates)].join("|")})): \\{[^}]*\\$lte: `);
  expect(filesWith(read)).toEqual(Object.keys(dueReads).sort());
});
