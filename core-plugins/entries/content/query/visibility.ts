import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { ColumnField } from '../entry/entry-model.ts'

/** Which entries of each type a caller may see. Created once per kind of caller and query. */
export interface Visibility {
  seesDrafts(type: ContentType): boolean
  mayRead(type: ContentType): boolean
}

/** The placeholder for the current time, bound by every query that hides drafts. */
export const nowSlot = 'now'

/** For a caller with every right; writes use it to read stored entries. */
export const allVisible: Visibility = { seesDrafts: () => true, mayRead: () => true }

/** `"alias"."column"` */
export function columnOf(alias: string, column: string): SQL {
  return sql`${sql.identifier(alias)}.${sql.identifier(column)}`
}

/** The value that a field shows, in SQL: its column, or the expression that replaces it. */
export function shownColumn(alias: string, { column, shown }: ColumnField): SQL {
  return shown?.()?.sql?.((name) => columnOf(alias, name)) ?? columnOf(alias, column)
}

/** True for published entries: `published_at` is set and not in the future. */
export function isPublished(alias: string, dialect: Dialect): SQL {
  return sql`${columnOf(alias, 'published_at')} <= ${dialect.placeholder(nowSlot, 'datetime')}`
}

/** The condition for an entry of `type` to be visible; undefined if all of them are. */
export function visibleWhere(
  type: ContentType,
  alias: string,
  visibility: Visibility,
  dialect: Dialect,
): SQL | undefined {
  const conditions: SQL[] = []
  if (type.options.softDelete) conditions.push(sql`${columnOf(alias, 'deleted_at')} is null`)
  if (type.options.draftAndPublish && !visibility.seesDrafts(type))
    conditions.push(isPublished(alias, dialect))
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` and `)
}

/**
 * The same for a referenced entry: never visible if the caller may not read its type. Entries of system types are visible
 * wherever visible entries refer to them.
 */
export function visibleTargetWhere(
  type: ContentType,
  alias: string,
  visibility: Visibility,
  dialect: Dialect,
): SQL | undefined {
  return isClosed(type, visibility) ? sql`1 = 0` : visibleWhere(type, alias, visibility, dialect)
}

/** The type as if it had no trash, so that entries in the trash count like any others. */
export function withTrash(type: ContentType): ContentType {
  return { ...type, options: { ...type.options, softDelete: false } }
}

/** Whether references may lead to entries of the type that are hidden from the caller. */
export function mayHide(type: ContentType, visibility: Visibility): boolean {
  const { softDelete, draftAndPublish } = type.options
  return isClosed(type, visibility) || softDelete || (draftAndPublish && !visibility.seesDrafts(type))
}

/** Whether all entries of a type are hidden from the caller. */
export function isClosed(type: ContentType, { mayRead }: Pick<Visibility, 'mayRead'>): boolean {
  return !type.system && !mayRead(type)
}
