import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../../kernel/index.ts'
import type { TableSpec } from '../database/database.ts'
import type { ReferenceAttribute } from './attribute.ts'
import type { ComponentType, ContentType } from './content-type.ts'
import type { FieldTypes } from './field-type.ts'

/**
 * Changes the table of a type, once, at start-up: adds columns, rewrites indexes. The system's own columns are `id`,
 * `created_at`, `updated_at`, `published_at` (draftAndPublish) and `deleted_at` (softDelete).
 */
export type ContentTable = (type: ContentType, table: TableSpec) => TableSpec

/** Contribute in `register`: the tables are built when the schemas plugin initialises. */
export const contentTables: ExtensionPoint<ContentTable> = extensionPoint('contentTables')

/** The content types and components of this deployment; fixed after the start. */
export interface Schemas {
  /** Declared types without the system ones, by name, in alphabetical order. */
  readonly types: ReadonlyMap<string, ContentType>
  /** All types, including system types. */
  readonly allTypes: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, ComponentType>
  /** The available field types. */
  readonly fieldTypes: FieldTypes
  /** The link table of an owning to-many relation or a media field with `multiple`. */
  linkTable(type: ContentType, attribute: ReferenceAttribute): LinkTable
}

/** Columns: `source_id`, `target_id`, `position` (0 and up); primary key (source_id, target_id). */
export interface LinkTable {
  readonly name: string
  /** The type that `target_id` refers to. */
  readonly target: ContentType
}

/** The content types and components as read at start-up. */
export const schemasService: ServiceToken<Schemas> = service('schemas')
