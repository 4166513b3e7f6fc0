import { type TSchema, Type } from 'typebox'
import type { Columns, TableSpec } from '../database/database.ts'
import { momentSchema } from '../http/http.ts'
import type { Attribute, ContentType, NumberAttribute, TextAttribute } from '../schemas/schemas.ts'
import { type Account, accountColumns } from './accounts.ts'

/** What a deployment's `user.extension.json` adds to content users. */
export interface UserAttributes {
  /** The table of content users. */
  readonly table: string
  readonly columns: Columns
  /** Schemas of the values, by attribute, as they may be written; all of them optional. */
  readonly writable: Readonly<Record<string, TSchema>>
  /** Those that an account cannot be made without; visitors who register may set these and no others. */
  readonly required: Readonly<Record<string, TSchema>>
  /** Schemas of the values as they are answered. */
  readonly readable: Readonly<Record<string, TSchema>>
  /** The values of a new account for attributes that its payload leaves out. */
  defaults(): Record<string, unknown>
  /** The values of a payload in the form in which they are stored. */
  toColumns(payload: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** The values of an account in the form in which they are answered. */
  present(account: Account): Record<string, unknown>
}

/**
 * Reads them from the system type `user`. Attributes of one column are served: values, and relations and
 * media that hold one id.
 */
export function readUserAttributes(userType: ContentType, table: TableSpec): UserAttributes {
  const own = new Set<string>(Object.values(accountColumns).map(({ column }) => column))
  const kinds = new Map(table.columns.map(({ name, kind }) => [name, kind]))
  const served = [...userType.attributes.values()].filter(
    ({ column, private: isPrivate }) => !isPrivate && !own.has(column) && kinds.has(column),
  )
  const columns: Columns = Object.fromEntries(
    served.map(({ name, column }) => [name, { column, kind: kinds.get(column) ?? 'string' }]),
  )
  const schemas = served.flatMap((attribute) => {
    const schema = valueSchema(attribute)
    return schema === undefined ? [] : [{ attribute, schema }]
  })
  const isMandatory = (attribute: Attribute) => attribute.required && defaultOf(attribute) === null

  return {
    table: table.name,
    columns,
    writable: Object.fromEntries(
      schemas.map(({ attribute, schema }) => [
        attribute.name,
        Type.Optional(attribute.required ? schema : orNull(schema)),
      ]),
    ),
    required: Object.fromEntries(
      schemas
        .filter(({ attribute }) => isMandatory(attribute))
        .map(({ attribute, schema }) => [attribute.name, schema]),
    ),
    readable: Object.fromEntries(
      schemas.map(({ attribute }) => [attribute.name, orNull(answerSchema(attribute) ?? Type.Unknown())]),
    ),
    defaults: () =>
      Object.fromEntries(
        schemas.map(({ attribute }) => [attribute.name, toStored(attribute, defaultOf(attribute))]),
      ),
    toColumns: (payload) =>
      Object.fromEntries(
        schemas
          .filter(({ attribute }) => Object.hasOwn(payload, attribute.name))
          .map(({ attribute }) => [attribute.name, toStored(attribute, payload[attribute.name])]),
      ),
    present: (account) =>
      Object.fromEntries(schemas.map(({ attribute }) => [attribute.name, account[attribute.name] ?? null])),
  }
}

function valueSchema(attribute: Attribute): TSchema | undefined {
  switch (attribute.type) {
    case 'email':
      return Type.String({ format: 'email', ...lengths(attribute) })
    case 'string':
    case 'text':
    case 'richtext':
      return Type.String(lengths(attribute))
    case 'integer':
    case 'bigint':
      return Type.Integer(bounds(attribute))
    case 'decimal':
      return Type.Number(bounds(attribute))
    case 'boolean':
      return Type.Boolean()
    case 'date':
      return Type.String({ format: 'date', pattern: '^(?!0000)' })
    case 'datetime':
      return momentSchema
    case 'json':
      return Type.Unknown()
    case 'enum':
      return Type.Union(attribute.values.map((value) => Type.Literal(value)))
    case 'media':
    case 'relation':
      return Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
    default:
      return undefined
  }
}

/** A number that loses digits in a double is answered as a string. */
function answerSchema(attribute: Attribute): TSchema | undefined {
  const schema = valueSchema(attribute)
  const isLong = attribute.type === 'bigint' || attribute.type === 'decimal'
  return isLong ? Type.Union([Type.Number(), Type.String()]) : schema
}

const columnLength = 255

function lengths({ type, minLength, maxLength }: TextAttribute) {
  const longest = maxLength ?? (type === 'string' || type === 'email' ? columnLength : undefined)
  return {
    ...(minLength === undefined ? {} : { minLength }),
    ...(longest === undefined ? {} : { maxLength: longest }),
  }
}

function bounds({ min, max }: NumberAttribute) {
  return {
    minimum: Math.max(Number(min ?? Number.NEGATIVE_INFINITY), Number.MIN_SAFE_INTEGER),
    maximum: Math.min(Number(max ?? Number.POSITIVE_INFINITY), Number.MAX_SAFE_INTEGER),
  }
}

function orNull(schema: TSchema): TSchema {
  return Type.Union([schema, Type.Null()])
}

function defaultOf(attribute: Attribute): unknown {
  return ('default' in attribute ? attribute.default : undefined) ?? null
}

function toStored(attribute: Attribute, value: unknown): unknown {
  if (attribute.type !== 'datetime' || typeof value !== 'string') return value
  return (value === 'now' ? new Date() : new Date(value)).toISOString()
}
