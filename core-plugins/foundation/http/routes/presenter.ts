import type { Static, TObject, TProperties, TSchema } from 'typebox'

type CamelCase<Name> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name

/**
 * An answer before it is serialised: read-only, with names in camel case (`createdAt` for `created_at`), also in
 * nested objects.
 */
export type CamelCased<Answer> = Answer extends readonly (infer Item)[]
  ? readonly CamelCased<Item>[]
  : Answer extends object
    ? { readonly [Name in keyof Answer as CamelCase<Name>]: CamelCased<Answer[Name]> }
    : Answer

/** The values that a schema describes, before they are serialised. */
export type RecordOf<Schema extends TSchema> = CamelCased<Static<Schema>>

type Present = (value: unknown) => unknown

/**
 * Creates the function that turns records, or rows with more columns, into answers of the schema: with only its
 * fields, under its names. The mapping is computed once, here, so call it where the schema is declared.
 */
export function presenterOf<Schema extends TObject>(
  schema: Schema,
): (record: RecordOf<Schema>) => Static<Schema> {
  return presentObject(schema.properties) as (record: RecordOf<Schema>) => Static<Schema>
}

function presentObject(properties: TProperties): Present {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    recorded: camelCase(name),
    present: nestedPresent(schema),
  }))
  return (value) => {
    const record = value as Readonly<Record<string, unknown>>
    const answer: Record<string, unknown> = {}
    for (const { name, recorded, present } of fields) {
      const held = record[recorded]
      if (held !== undefined) answer[name] = present === undefined || held === null ? held : present(held)
    }
    return answer
  }
}

/** Undefined if values are sent as they are, because no name in them differs. */
function nestedPresent(schema: TSchema): Present | undefined {
  const {
    anyOf = [],
    items,
    properties,
  } = schema as {
    anyOf?: TSchema[]
    items?: TSchema
    properties?: TProperties
  }
  if (properties !== undefined) return hasOtherNames(properties) ? presentObject(properties) : undefined
  if (items !== undefined) {
    const present = nestedPresent(items)
    return present && ((list) => (list as unknown[]).map(present))
  }
  // A union has one member beside null, or its members have the same names on both sides.
  return anyOf.map(nestedPresent).find((present) => present !== undefined)
}

function hasOtherNames(properties: TProperties): boolean {
  return Object.entries(properties).some(
    ([name, schema]) => name !== camelCase(name) || nestedPresent(schema) !== undefined,
  )
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
