import type { ColumnKind } from '../../../foundation/database/database.ts'
import type { GraphqlScalarName } from '../../../foundation/schemas/schemas.ts'

const scalarNames: Partial<Readonly<Record<ColumnKind, GraphqlScalarName>>> = {
  id: 'Int',
  reference: 'Int',
  integer: 'Int',
  bigint: 'BigInt',
  decimal: 'Decimal',
  boolean: 'Boolean',
  date: 'Date',
  datetime: 'DateTime',
  json: 'JSON',
  point: 'JSON',
}

/** The scalar for a kind of column. */
export const scalarOfKind = (kind: ColumnKind): GraphqlScalarName => scalarNames[kind] ?? 'String'
