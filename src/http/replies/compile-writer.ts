import type { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";

/** Writes a value as JSON text. @throws ZodError when the schema does not accept it. */
export type Writer = (value: unknown) => string;

/** The compiled code does not take a value; parsing says why. */
const unfit = new Error("the value does not fit the schema");

/** What JSON escapes in a string, and a few more: half a character is one of them. */
const escaped = /["\\\p{Cc}\p{Surrogate}]/u;
const quote = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`);

/**
 * Compiles a schema into code that checks a value and writes it in one pass: the text is that of
 * `JSON.stringify(schema.parse(value))`. A part that the compiler does not know (one with rules or transforms of its own)
 * is written by that very expression, and so is a value that the compiled code does not take.
 */
export function compileWriter(schema: z.ZodType): Writer {
  const constants: unknown[] = [];
  const code = new Code((constant) => `constants[${constants.push(constant) - 1}]`).of(schema as Part, "value");
  const make = new Function(
    "constants",
    "quote",
    "unfit",
    `return (value) => { let text = ""; ${code} return text; };`,
  );
  const write: Writer = make(constants, quote, unfit);
  return (value) => {
    try {
      return write(value);
    } catch {
      return JSON.stringify(schema.parse(value));
    }
  };
}

/** What of a schema the compiler looks at. */
interface Part {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly checks?: readonly unknown[];
      readonly format?: unknown;
      readonly coerce?: unknown;
      readonly catchall?: unknown;
      readonly in?: Part;
      readonly innerType?: Part;
      readonly element?: Part;
      readonly shape?: Readonly<Record<string, Part>>;
      readonly entries?: Readonly<Record<string, unknown>>;
      readonly values?: readonly unknown[];
    };
  };
  parse(value: unknown): unknown;
}

const inputOf = (part: Part): Part | undefined => part._zod.def.in;
const storedId = inputOf(id as unknown as Part);
const storedDate = inputOf(timestamp as unknown as Part);

const isOptional = ({ _zod: { def } }: Part): boolean => def.type === "optional" && !def.checks?.length;
const refuseIf = (condition: string): string => `if (${condition}) throw unfit;`;

/** Makes statements that append a value to `text`. */
class Code {
  #names = 0;

  constructor(readonly constant: (value: unknown) => string) {}

  of(part: Part, value: string): string {
    const { def } = part._zod;
    if (def.type === "pipe" && def.in === storedId) return this.#id(value);
    if (def.type === "pipe" && def.in === storedDate) return this.#date(value);
    const plain = !(def.checks?.length || def.format || def.coerce || def.catchall);
    return (plain ? this.#plain(part, value) : undefined) ?? this.#parsed(part, value);
  }

  #plain({ _zod: { def } }: Part, value: string): string | undefined {
    switch (def.type) {
      case "string":
        return `${refuseIf(`typeof ${value} !== "string"`)} text += quote(${value});`;
      case "number":
        return `${refuseIf(`!Number.isFinite(${value})`)} text += ${value};`;
      case "boolean":
        return `${refuseIf(`typeof ${value} !== "boolean"`)} text += ${value};`;
      case "literal":
        return this.#oneOf(def.values ?? [], value);
      case "enum":
        return this.#oneOf(Object.values(def.entries ?? {}), value);
      case "nullable":
        return def.innerType && `if (${value} === null) text += "null"; else { ${this.of(def.innerType, value)} }`;
      case "array":
        return def.element && this.#array(def.element, value);
      case "object":
        return def.shape && this.#object(def.shape, value);
      default:
        return undefined;
    }
  }

  #id(value: string): string {
    return `${refuseIf(`${value} === null || ${value} === undefined`)} text += quote(String(${value}));`;
  }

  #date(value: string): string {
    return `${refuseIf(`!(${value} instanceof Date)`)} text += '"' + ${value}.toISOString() + '"';`;
  }

  #oneOf(values: readonly unknown[], value: string): string {
    const written = this.constant(new Map(values.map((one) => [one, JSON.stringify(one)])));
    const name = this.#name();
    return `const ${name} = ${written}.get(${value}); ${refuseIf(`${name} === undefined`)} text += ${name};`;
  }

  #array(element: Part, value: string): string {
    const [index, item] = [this.#name(), this.#name()];
    return `${refuseIf(`!Array.isArray(${value})`)} text += "[";
      for (let ${index} = 0; ${index} < ${value}.length; ${index} += 1) {
        if (${index} > 0) text += ",";
        const ${item} = ${value}[${index}]; ${this.of(element, item)}
      }
      text += "]";`;
  }

  /** Only what the shape names is read. */
  #object(shape: Readonly<Record<string, Part>>, value: string): string {
    const fields = Object.entries(shape);
    // A comma is certain after the first field that is always there.
    const certain = fields.findIndex(([, part]) => !isOptional(part));
    const comma = this.#name();
    const written = fields.map(([key, part], position) => {
      const field = this.#name();
      const write = (inner: Part, before: string) =>
        `text += ${before}${JSON.stringify(`${JSON.stringify(key)}:`)}; ${this.of(inner, field)}`;
      const read = `const ${field} = ${value}[${JSON.stringify(key)}];`;
      const before = certain !== -1 && position > certain ? `"," + ` : `${comma} + `;
      const after = certain !== -1 && position >= certain ? "" : `${comma} = ",";`;
      if (!isOptional(part)) return `${read} ${write(part, before)}`;
      return `${read} if (${field} !== undefined) { ${write(part._zod.def.innerType as Part, before)} ${after} }`;
    });
    return `${refuseIf(`typeof ${value} !== "object" || ${value} === null || Array.isArray(${value})`)}
      { let ${comma} = ""; text += "{"; ${written.join(" ")} text += "}"; }`;
  }

  #parsed(part: Part, value: string): string {
    const name = this.#name();
    return `const ${name} = JSON.stringify(${this.constant(part)}.parse(${value}));
      ${refuseIf(`${name} === undefined`)} text += ${name};`;
  }

  #name(): string {
    this.#names += 1;
    return `v${this.#names}`;
  }
}
