import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../kernel/index.ts'
import type { TableSpec } from '../database/database.ts'

export { checkSchemaFiles } from './check-directory.ts'
export { columnOf, hasLinkTable } from './column.ts'
export { writeEditorSchemas } from './editor-schemas.ts'
export { schemasDir } from './schemas-dir.ts'
export { generateTypes } from './typescript-types.ts'

/** `condition` of an attribute: while it does not hold, the field is hidden and its `required` is waived. */
export interface Condition {
  readonly field: string
  readonly operator: 'eq' | 'neq' | 'in' | 'notIn' | 'exists' | 'empty'
  readonly value: unknown
}

interface AttributeBase {
  /** As in the schema file and in the API. */
  readonly name: string
  /** snake_case; where the attribute has a column. */
  readonly column: string
  readonly required: boolean
  readonly localized: boolean
  readonly condition?: Condition
  readonly renamedFrom?: string
  /** Options of plugins by plugin name, as written in the file. */
  readonly pluginOptions: Readonly<Record<string, unknown>>
  /** Never leaves the service: hashes and the like, of system types only. */
  readonly private: boolean
}

/** `string`, `email` (a string that must be an address), `text` and `richtext`. */
export interface TextAttribute extends AttributeBase {
  readonly type: 'string' | 'email' | 'text' | 'richtext'
  readonly unique: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string
}

export interface NumberAttribute extends AttributeBase {
  readonly type: 'integer' | 'bigint' | 'decimal'
  readonly unique: boolean
  /** As written in the file: a number, or a string where a double would not be exact. */
  readonly min?: number | string
  readonly max?: number | string
  readonly default?: number | string
}

export interface BooleanAttribute extends AttributeBase {
  readonly type: 'boolean'
  readonly default?: boolean
}

export interface DateAttribute extends AttributeBase {
  readonly type: 'date' | 'datetime'
  /** `now` (of datetime) means the moment of the write. */
  readonly default?: string
}

export interface JsonAttribute extends AttributeBase {
  readonly type: 'json'
  readonly default?: unknown
}

export interface EnumAttribute extends AttributeBase {
  readonly type: 'enum'
  readonly values: readonly string[]
  readonly default?: string
}

export type MediaKind = 'images' | 'videos' | 'audios' | 'files'

export interface MediaAttribute extends AttributeBase {
  readonly type: 'media'
  readonly multiple: boolean
  /** Undefined means any. */
  readonly allowedTypes?: readonly MediaKind[]
}

export interface RelationAttribute extends AttributeBase {
  readonly type: 'relation'
  readonly relation: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'
  /** Singular name of the target type. */
  readonly target: string
  /** The owning side holds the foreign key or the link table; the inverse side has `mappedBy`. */
  readonly side: 'owning' | 'inverse'
  /** True where the value is an array of ids. */
  readonly many: boolean
  readonly mappedBy?: string
  readonly inversedBy?: string
  readonly onDelete: 'CASCADE' | 'SET NULL' | 'RESTRICT'
}

export interface ComponentAttribute extends AttributeBase {
  readonly type: 'component'
  readonly component: string
  readonly repeatable: boolean
  readonly min?: number
  readonly max?: number
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly type: 'dynamicZone'
  readonly components: readonly string[]
}

export type Attribute =
  | TextAttribute
  | NumberAttribute
  | BooleanAttribute
  | DateAttribute
  | JsonAttribute
  | EnumAttribute
  | MediaAttribute
  | RelationAttribute
  | ComponentAttribute
  | DynamicZoneAttribute

export interface ContentTypeOptions {
  readonly draftAndPublish: boolean
  /**
   * The file wants no drafts any more, while some entries are not published: `draftAndPublish` stays on until they
   * are, or are deleted.
   */
  readonly endsDrafts: boolean
  /** Changes of published entries are kept as drafts beside them; never without `draftAndPublish`. */
  readonly draftOverlay: boolean
  readonly timestamps: boolean
  readonly softDelete: boolean
  readonly i18n: {
    readonly enabled: boolean
    readonly locales?: readonly string[]
    readonly defaultLocale?: string
  }
  /** As written in the file; the workflow plugin reads it. */
  readonly workflow?: unknown
}

/** A schema file, checked, with every default filled in. */
export interface ContentType {
  /** `info.singularName`; the type's identity, from which table names come. */
  readonly name: string
  readonly pluralName: string
  readonly displayName: string
  readonly description: string
  readonly kind: 'collectionType' | 'singleType'
  /** `user`, `media`, `media-folder` and `role`: relations may point at them, `/api/content` does not serve them. */
  readonly system: boolean
  readonly table: string
  readonly options: ContentTypeOptions
  /** Options of plugins by plugin name, as written in the file. */
  readonly pluginOptions: Readonly<Record<string, unknown>>
  readonly indexes: readonly {
    readonly fields: readonly string[]
    readonly type: 'unique' | 'fulltext' | 'index'
  }[]
  readonly attributes: ReadonlyMap<string, Attribute>
}

export interface ComponentType {
  readonly uid: string
  readonly category: string
  readonly displayName: string
  readonly description: string
  readonly icon: string
  readonly attributes: ReadonlyMap<string, Attribute>
}

/**
 * Amends the table of a type, once, at the start: adds columns, rewrites indexes. The system's own columns are
 * `id`, `created_at`, `updated_at`, `published_at` (draftAndPublish) and `deleted_at` (softDelete).
 */
export type ContentTable = (type: ContentType, table: TableSpec) => TableSpec

/** Contribute in `register`: the tables are made when the schemas plugin initialises. */
export const contentTables: ExtensionPoint<ContentTable> = extensionPoint('contentTables')

/** The content types and components of this deployment; fixed after the start. */
export interface Schemas {
  /** Declared types without the system ones, by name, in alphabetical order. */
  readonly types: ReadonlyMap<string, ContentType>
  /** All of them, system types included. */
  readonly allTypes: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, ComponentType>
  /** The link table of an owning to-many relation or a media field with `multiple`. */
  linkTable(type: ContentType, attribute: RelationAttribute | MediaAttribute): LinkTable
}

/** Columns: `source_id`, `target_id`, `position` (0 and up); primary key (source_id, target_id). */
export interface LinkTable {
  readonly name: string
  /** The type that `target_id` points at. */
  readonly target: ContentType
}

export const schemasService: ServiceToken<Schemas> = service('schemas')
