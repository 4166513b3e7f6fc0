/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Collects the schemas with an `$id`: each appears once in the document, and references to its `$id` point to that place. */
export class SchemaCollection {
  readonly named: Record<string, unknown> = {}

  /** Returns the schema in the form to use in place: a reference, if it has an `$id`. */
  add(schema: JsonSchema): JsonSchema {
    return this.#place(schema) as JsonSchema
  }

  #place(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#place(item))
    if (typeof value !== 'object' || value === null) return value
    const { $id, $ref, ...rest } = value as Record<string, unknown>
    if (typeof $ref === 'string') return { $ref: placeOf($ref) }
    if (typeof $id !== 'string') return this.#placeMembers(rest)
    // Reserved before its members are visited, since they may refer to it.
    this.named[nameOf($id)] ??= {}
    this.named[nameOf($id)] = this.#placeMembers(rest)
    return { $ref: placeOf($id) }
  }

  /**
   * Returns all collected schemas, once everything has been visited. An object schema that names another one (`x-schema`) is
   * replaced by it if that one is included, and kept otherwise, since a reference must not reveal a hidden schema.
   */
  resolve<T>(value: T): T {
    return this.#resolve(value) as T
  }

  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item))
    if (typeof value !== 'object' || value === null) return value
    const { 'x-schema': named, ...rest } = value as Record<string, unknown>
    if (typeof named === 'string' && Object.hasOwn(this.named, nameOf(named))) return { $ref: placeOf(named) }
    return Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, this.#resolve(member)]))
  }

  #placeMembers(members: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, this.#place(member)]))
  }
}

/** Replaces characters that are not allowed in the document's schema names. */
function nameOf(id: string): string {
  return id.replace(/[^A-Za-z0-9._-]/g, '_')
}

function placeOf(id: string): string {
  return `#/components/schemas/${nameOf(id)}`
}
