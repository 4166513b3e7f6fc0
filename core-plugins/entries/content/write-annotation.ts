/**
 * Information that the caller of a write passes to its stages, such as that it restores a revision. A typed token rather than
 * part of the payload, because a client could forge a payload.
 */
export interface WriteAnnotation<T> {
  /** For messages: `<plugin>.<what>`. */
  readonly id: string
  /** Never set; it only carries the type. */
  readonly type?: T
}

/** Creates the token of an annotation. */
export function writeAnnotation<T>(id: string): WriteAnnotation<T> {
  return Object.freeze({ id })
}

/** The annotations of one write. Immutable. */
export class WriteAnnotations {
  readonly #values: ReadonlyMap<WriteAnnotation<unknown>, unknown>

  private constructor(values: ReadonlyMap<WriteAnnotation<unknown>, unknown>) {
    this.#values = values
  }

  static readonly none = new WriteAnnotations(new Map())

  /** Returns a copy with one more annotation. */
  with<T>(annotation: WriteAnnotation<T>, value: T): WriteAnnotations {
    return new WriteAnnotations(new Map(this.#values).set(annotation, value))
  }

  /** Undefined if the write does not carry the annotation. */
  get<T>(annotation: WriteAnnotation<T>): T | undefined {
    return this.#values.get(annotation) as T | undefined
  }

  has(annotation: WriteAnnotation<unknown>): boolean {
    return this.#values.has(annotation)
  }
}

/** Creates the value of `WriteRequest.annotations` with a single annotation. */
export function annotate<T>(annotation: WriteAnnotation<T>, value: T): WriteAnnotations {
  return WriteAnnotations.none.with(annotation, value)
}

/** The service itself repairs stored values (see `StoredEntries.repair`), so they are not checked. */
export const repairWrite: WriteAnnotation<true> = writeAnnotation('content.repair')

/** An editor saves automatically while the user types: one of many writes that are a single change to the user. */
export const autosaveWrite: WriteAnnotation<true> = writeAnnotation('content.autosave')

/**
 * The payload is an earlier state of the entry: ids that the entry still has in the same field are accepted even if the caller
 * may not see them.
 */
export const formerValues: WriteAnnotation<true> = writeAnnotation('content.former-values')
