import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../../foundation/database/database.ts'
import {
  isReference,
  type RelationAttribute,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { EntryModel, InverseField } from '../entry/entry-model.ts'
import type { ReferenceField } from './condition.ts'
import type { Visibility } from './visibility.ts'

/** What generating SQL for a query needs. */
export interface SqlContext {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly dialect: Dialect
  readonly visibility: Visibility
  /** A table alias that the statement has not used yet. */
  nextAlias(): string
}

/** A context with fresh aliases, for one statement. */
export function sqlContext(base: Omit<SqlContext, 'nextAlias'>): SqlContext {
  let count = 0
  return { ...base, nextAlias: () => `t${++count}` }
}

/** `"table" "alias"` */
export function tableAs(model: EntryModel, alias: string): SQL {
  return sql`${sql.identifier(model.type.table)} ${sql.identifier(alias)}`
}

/** The type that a field refers to. */
export function targetModel(field: ReferenceField, deps: SqlContext): EntryModel {
  const attribute = field.attribute
  if (!isReference(attribute)) throw new Error(`${field.name} does not refer to another type`)
  return deps.models.get(targetNameOf(attribute)) as EntryModel
}

/** The link table of the relation that an inverse field mirrors. */
export function inverseLinkTable(field: InverseField, owner: RelationAttribute, schemas: Schemas): string {
  return schemas.linkTable(field.target, owner).name
}
