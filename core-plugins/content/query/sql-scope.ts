import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../database/database.ts'
import type { RelationAttribute, Schemas } from '../../schemas/schemas.ts'
import { type EntryModel, type InverseField, targetNameOf } from '../entry-model.ts'
import type { ReferenceField } from './condition.ts'
import type { Visibility } from './visibility.ts'

/** What turning a query into SQL needs to know. */
export interface SqlScope {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly dialect: Dialect
  readonly visibility: Visibility
  /** A table alias that the statement has not used yet. */
  nextAlias(): string
}

/** Makes a scope with fresh aliases, for one statement. */
export function sqlScope(base: Omit<SqlScope, 'nextAlias'>): SqlScope {
  let count = 0
  return { ...base, nextAlias: () => `t${++count}` }
}

/** `"table" "alias"` */
export function tableAs(model: EntryModel, alias: string): SQL {
  return sql`${sql.identifier(model.type.table)} ${sql.identifier(alias)}`
}

/** The type that a field leads to. */
export function targetModel(field: ReferenceField, scope: SqlScope): EntryModel {
  const attribute = field.attribute
  if (attribute?.type !== 'relation' && attribute?.type !== 'media') {
    throw new Error(`${field.name} leads to no other type`)
  }
  return scope.models.get(targetNameOf(attribute)) as EntryModel
}

/** The link table of the relation whose inverse side a field is. */
export function inverseLinkTable(field: InverseField, owner: RelationAttribute, schemas: Schemas): string {
  return schemas.linkTable(field.target, owner).name
}
