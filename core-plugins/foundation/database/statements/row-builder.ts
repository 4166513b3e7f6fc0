/** Converts a driver's value to an application value; never called with null. */
export type Decode = (value: never) => unknown

/** Creates objects from rows that arrive as arrays. */
export type RowBuilder = (rows: readonly (readonly unknown[])[]) => unknown[]

/** A row builder, and the result columns it is for. */
export interface DescribedRows {
  /** Values that identify the columns of a result. */
  readonly description: readonly unknown[]
  readonly build: RowBuilder
}

/** Whether a builder can be used for rows with this description. */
export function isFor({ description }: DescribedRows, other: readonly unknown[]): boolean {
  if (description.length !== other.length) return false
  for (let index = 0; index < other.length; index += 1) {
    if (description[index] !== other[index]) return false
  }
  return true
}

/**
 * Compiles a builder for rows of these columns; `decoders` has a function where the driver's value is not yet
 * the application's.
 * Generated code creates all rows with one literal, so they share one hidden class: measured on lists of 25
 * rows, reading takes about half the time compared with objects filled key by key by the driver, and
 * JSON.stringify is faster on them.
 */
export function compileRowBuilder(
  names: readonly string[],
  decoders: readonly (Decode | undefined)[],
): RowBuilder {
  const fields = names.map((name, index) => `${propertyName(name)}: ${expression(index, decoders)}`)
  const body = `
    const [${decoders.map((_, index) => `decode${index}`).join(', ')}] = decoders
    return (rows) => {
      const built = new Array(rows.length)
      for (let index = 0; index < built.length; index += 1) {
        const row = rows[index]
        built[index] = { ${fields.join(', ')} }
      }
      return built
    }`
  return new Function('decoders', body)(decoders) as RowBuilder
}

// `"__proto__": x` in a literal would set the prototype.
function propertyName(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)
}

function expression(index: number, decoders: readonly (Decode | undefined)[]): string {
  const value = `row[${index}]`
  return decoders[index] === undefined ? value : `${value} === null ? null : decode${index}(${value})`
}
