/** A recorded request to a server with the demo data, and its reply. */
export interface OperationExample {
  /** Path parameters by name. */
  readonly path?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  /** Content type of the reply. */
  readonly type: string;
  /** Absent where the reply is a file. */
  readonly reply?: unknown;
}

export interface RecordedExamples {
  /** By method and path, as in `GET /api/course/{id}`. */
  readonly operations: Readonly<Record<string, OperationExample>>;
  /** Bodies by the event's name. */
  readonly webhooks: Readonly<Record<string, unknown>>;
}

interface Content {
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Operation {
  parameters?: { name?: string; in?: string; example?: unknown }[];
  requestBody?: { content?: Record<string, Content> };
  responses?: Record<string, { content?: Record<string, Content> }>;
}

/** The parts of a description that get examples. */
interface Described {
  paths?: Record<string, Record<string, Operation>> | undefined;
  webhooks?: Record<string, Record<string, Operation>> | undefined;
}

/** Adds recorded requests and replies to the schemas of their operations. */
export function withExamples<Description>(description: Description, recorded: RecordedExamples): Description {
  const { paths = {}, webhooks = {} } = description as Described;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const example = recorded.operations[`${method.toUpperCase()} ${path}`];
      if (example) addExample(operation, example);
    }
  }
  for (const [event, { post }] of Object.entries(webhooks)) {
    for (const content of Object.values(post?.requestBody?.content ?? {})) content.example = recorded.webhooks[event];
  }
  return description;
}

function addExample(operation: Operation, { path = {}, request, type, reply }: OperationExample): void {
  for (const parameter of operation.parameters ?? []) {
    const value = parameter.in === "path" ? path[parameter.name ?? ""] : undefined;
    if (value !== undefined) parameter.example = value;
  }
  if (request !== undefined) {
    for (const content of Object.values(operation.requestBody?.content ?? {})) content.example = request;
  }
  const content = operation.responses?.["200"]?.content?.[type];
  if (!content || reply === undefined) return;
  if (content.examples) content.examples = { success: { summary: "Success", value: reply }, ...content.examples };
  else content.example = reply;
}
