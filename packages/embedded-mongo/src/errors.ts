/** Names of the codes of this server, as in MongoDB's `error_codes.yml`. Other codes are `Location<code>`. */
const CODE_NAMES = `1 InternalError, 2 BadValue, 4 NoSuchKey, 9 FailedToParse, 13 Unauthorized, 14 TypeMismatch,
   15 Overflow, 16 InvalidLength, 20 IllegalOperation, 23 AlreadyInitialized, 26 NamespaceNotFound, 27 IndexNotFound,
   28 PathNotViable, 40 ConflictingUpdateOperators, 43 CursorNotFound, 48 NamespaceExists, 50 MaxTimeMSExpired,
   52 DollarPrefixedFieldName, 53 InvalidIdField, 54 NotSingleValueField, 56 EmptyFieldName, 57 DottedFieldName,
   59 CommandNotFound, 66 ImmutableField, 67 CannotCreateIndex, 72 InvalidOptions, 73 InvalidNamespace,
   85 IndexOptionsConflict, 86 IndexKeySpecsConflict, 100 UnsatisfiableWriteConcern, 111 NotExactValueField,
   112 WriteConflict, 115 CommandNotSupported, 117 ConflictingOperationInProgress, 125 CommandFailed,
   168 InvalidPipelineOperator, 171 CannotIndexParallelArrays, 175 QueryPlanKilled,
   197 InvalidIndexSpecificationOption, 224 QueryFeatureNotAllowed, 225 TransactionTooOld, 251 NoSuchTransaction,
   256 TransactionCommitted, 263 OperationNotSupportedInTransaction, 291 NoQueryExecutionPlans,
   10334 BSONObjectTooLarge, 11000 DuplicateKey, 17280 KeyTooLong`;

/** An error in MongoDB's shape. `details` are added to the reply (`keyPattern` and `keyValue` of code 11000). */
export class DatabaseError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = "DatabaseError";
  }

  /** Describes the error as replies and write errors do. */
  get shown() {
    return { errmsg: this.message, code: this.code, ...this.details };
  }

  get codeName(): string {
    return new RegExp(`\\b${this.code} (\\w+)`).exec(CODE_NAMES)?.[1] ?? `Location${this.code}`;
  }
}

/** Refuses a feature of MongoDB that this server lacks. It is never ignored. */
export function notSupported(feature: string): DatabaseError {
  return new DatabaseError(115, `${feature} is not supported by the embedded development database`);
}

/**
 * Looks up an operator or a stage in a table.
 * @throws DatabaseError 115 for the names in `others`, which MongoDB 7 supports; `code` for an unknown name.
 */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string, others: string, code: number): T {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined && others.split(/\s+/).includes(name)) throw notSupported(name);
  check(entry !== undefined, code, `Unrecognized name: '${name}'`);
  return entry;
}

/** Asserts a condition. @throws DatabaseError unless it holds. */
export function check(condition: boolean, code: number, message: string): asserts condition {
  if (!condition) throw new DatabaseError(code, message);
}
