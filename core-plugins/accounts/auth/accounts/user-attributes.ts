import { type TSchema, Type } from 'typebox'
import {
  type ColumnDeclarations,
  column,
  defineTable,
  type TableSpec,
} from '../../../foundation/database/database.ts'
import { orNull } from '../../../foundation/http/http.ts'
import {
  type Attribute,
  type ContentType,
  holdsComponents,
  isReference,
} from '../../../foundation/schemas/schemas.ts'
import { accountColumns } from '../tables.ts'
import type { Account } from './accounts.ts'

/** The attributes that a deployment's `user.extension.json` adds to content users. */
export interface UserAttributes {
  /** The table of content users. */
  readonly table: string
  readonly columns: ColumnDeclarations
  /** Schemas of the writable values by attribute, all of them optional. */
  readonly writable: Readonly<Record<string, TSchema>>
  /** The attributes that a new account requires; visitors who register may set these and no others. */
  readonly required: Readonly<Record<string, TSchema>>
  /** Schemas of the values in responses to the account's owner. */
  readonly readable: Readonly<Record<string, TSchema>>
  /** Schemas of the values in responses to users who manage accounts, including private attributes. */
  readonly manageable: Readonly<Record<string, TSchema>>
  /** The default values of a new account for attributes that its payload leaves out. */
  defaults(): Record<string, unknown>
  /** Converts the values of a payload to their stored form. */
  toColumns(payload: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** Converts the values of an account to the form of `readable`. */
  present(account: Account): Record<string, unknown>
  /** Converts the values of an account to the form of `manageable`. */
  presentAll(account: Account): Record<string, unknown>
}

/**
 * Reads them from the system type `user`. Attributes with a single column are supported: values, and
 * relations and media that hold one id.
 */
export function readUserAttributes(userType: ContentType, table: TableSpec): UserAttributes {
  const own = new Set(defineTable(table.name, accountColumns).spec.columns.map(({ name }) => name))
  const kinds = new Map(table.columns.map(({ name, kind }) => [name, kind]))
  const served = [...userType.attributes.values()].filter(
    ({ column }) => !own.has(column) && kinds.has(column),
  )
  const columns: ColumnDeclarations = Object.fromEntries(
    served.map(({ name, column: named }) => [name, column.ofKind(kinds.get(named) ?? 'string').named(named)]),
  )
  const schemas = served.flatMap((attribute) => {
    const schema = valueSchema(attribute)
    return schema === undefined ? [] : [{ attribute, schema }]
  })
  const all = schemas.map(({ attribute }) => attribute)
  const shown = all.filter((attribute) => !attribute.private)
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
    readable: answerSchemas(shown),
    manageable: answerSchemas(all),
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
    present: valuesOf(shown),
    presentAll: valuesOf(all),
  }
}

function answerSchemas(attributes: readonly Attribute[]): Record<string, TSchema> {
  return Object.fromEntries(
    attributes.map((attribute) => [attribute.name, orNull(answerSchema(attribute) ?? Type.Unknown())]),
  )
}

function valuesOf(attributes: readonly Attribute[]): (account: Account) => Record<string, unknown> {
  return (account) => Object.fromEntries(attributes.map(({ name }) => [name, account[name] ?? null]))
}

const idSchema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The attributes that accounts support; undefined for the others. */
function valueSchema(attribute: Attribute): TSchema | undefined {
  if (isReference(attribute)) return idSchema
  if (holdsComponents(attribute)) return undefined
  const { definition } = attribute
  return definition.accountSchema?.(attribute) ?? definition.jsonSchema(attribute)
}

function answerSchema(attribute: Attribute): TSchema | undefined {
  if (isReference(attribute) || holdsComponents(attribute)) return valueSchema(attribute)
  return attribute.definition.accountAnswerSchema?.(attribute) ?? valueSchema(attribute)
}

function defaultOf(attribute: Attribute): unknown {
  return ('default' in attribute ? attribute.default : undefined) ?? null
}

function toStored(attribute: Attribute, value: unknown): unknown {
  if (isReference(attribute) || holdsComponents(attribute)) return value
  const { normalize } = attribute.definition
  return normalize === undefined ? value : normalize(value)
}
