import type { ContributionOf } from '../../../kernel/index.ts'
import type { ColumnSpec, IndexSpec, ReferenceSpec, TableSpec } from '../database/database.ts'
import {
  type Attribute,
  hasLinkTable,
  holdsComponents,
  isReference,
  type ReferenceAttribute,
  targetNameOf,
} from './attribute.ts'
import { snakeCase } from './checks/names.ts'
import { columnOf } from './column.ts'
import type { ContentType } from './content-type.ts'
import { createJsonShapes, type JsonShapeOf } from './json-shape-of.ts'
import { isCoreAttribute } from './plugins/system-types.ts'
import type { ContentTable, LinkTable, Schemas } from './schemas-service.ts'
import { uuidColumns, uuidIndexes } from './uuid-column.ts'

/** The tables of all types and links, after the `amendments` of other plugins. */
export function tablesOf(schemas: Schemas, amendments: readonly ContributionOf<ContentTable>[]): TableSpec[] {
  const shapeOf = createJsonShapes(schemas)
  return [...schemas.allTypes.values()].flatMap((type) => {
    const amended = amendments.reduce(
      (table, { plugin, value: amend }) => withOwner(plugin, table, amend(type, table)),
      tableOf(type, schemas, shapeOf),
    )
    return [withoutUselessIndexes(amended), ...linkTablesOf(type, schemas)]
  })
}

/** Marks the columns that a plugin adds as its data, which is kept while the plugin is off. */
function withOwner(plugin: string, table: TableSpec, amended: TableSpec): TableSpec {
  const isAdded = ({ name }: ColumnSpec) => !table.columns.some((column) => column.name === name)
  const columns = amended.columns.map((column) => (isAdded(column) ? { ...column, plugin } : column))
  return { ...amended, columns }
}

function tableOf(type: ContentType, schemas: Schemas, shapeOf: JsonShapeOf): TableSpec {
  const attributes = [...type.attributes.values()]
  return {
    name: type.table,
    ...pluginOf(type),
    columns: [
      { name: 'id', kind: 'id' },
      ...attributes.flatMap(ownColumn(type, shapeOf)),
      ...timeColumns(type),
      ...uuidColumns(type),
    ],
    indexes: [
      ...attributes.flatMap(indexesOf),
      ...declaredIndexes(type),
      ...orderIndexes(type),
      ...uuidIndexes(type),
    ],
    references: attributes.flatMap((attribute) => referenceOf(attribute, schemas)),
    ...endings(type),
  }
}

/** The plugin that owns the data, for when it is off. */
function pluginOf({ plugin }: ContentType | Attribute): { readonly plugin?: string } {
  return plugin === undefined ? {} : { plugin }
}

function endings({ name, options }: ContentType): Pick<TableSpec, 'endingDrafts' | 'endingTrash'> {
  return {
    ...(options.endsDrafts ? { endingDrafts: { type: name, column: 'published_at' } } : {}),
    ...(options.endsTrash ? { endingTrash: { type: name, column: 'deleted_at' } } : {}),
  }
}

/**
 * Core attributes of system types are written by their own plugins, which have no drafts, so their columns can be
 * not null.
 */
function ownColumn(type: ContentType, shapeOf: JsonShapeOf) {
  return (attribute: Attribute): ColumnSpec[] => {
    const column = columnOf(attribute)
    if (column === undefined) return []
    const isCore = isCoreAttribute(type.name, attribute.name)
    const shape = holdsComponents(attribute) ? { shape: shapeOf(attribute) } : {}
    return [
      { ...column, ...shape, ...pluginOf(attribute), ...(isCore ? { nullable: !attribute.required } : {}) },
    ]
  }
}

/** Every type has these; `timestamps: false` only hides them. */
function timeColumns({ options }: ContentType): ColumnSpec[] {
  return [
    { name: 'created_at', kind: 'datetime' },
    { name: 'updated_at', kind: 'datetime' },
    // Entries that were public before drafts were enabled stay public.
    ...nullableTime('published_at', options.draftAndPublish, { filledFrom: 'created_at' }),
    ...nullableTime('deleted_at', options.softDelete),
  ]
}

function nullableTime(name: string, isPresent: boolean, more: Partial<ColumnSpec> = {}): ColumnSpec[] {
  return isPresent ? [{ name, kind: 'datetime', nullable: true, ...more }] : []
}

function indexesOf(attribute: Attribute): IndexSpec[] {
  const column = columnOf(attribute)
  if (column === undefined) return []
  if (isUnique(attribute)) return [{ columns: [column.name], type: 'unique' }]
  return column.kind === 'reference' ? [{ columns: [column.name], type: 'index' }] : []
}

function isUnique(attribute: Attribute): boolean {
  if (attribute.type === 'relation') return attribute.relation === 'oneToOne'
  return 'unique' in attribute && attribute.unique
}

function declaredIndexes(type: ContentType): IndexSpec[] {
  return type.indexes.map(({ fields, type: kind }) => ({
    columns: fields.map((field) => type.attributes.get(field)?.column ?? snakeCase(field)),
    type: kind,
  }))
}

/**
 * Indexes for lists by id, and by the newest or latest first, with equal times ordered by id. They include whether an
 * entry is hidden, so that a page deep in the list, and the total, can be found without reading the rows before it;
 * databases that store rows in the primary key would have to read those.
 */
function orderIndexes(type: ContentType): IndexSpec[] {
  const times = timeColumns(type).map(({ name }) => name)
  const deciding = times.filter((name) => name === 'published_at' || name === 'deleted_at')
  const byTime = times
    .filter((name) => name !== 'deleted_at')
    .map((time) => ({
      columns: [time, 'id', ...deciding.filter((name) => name !== time)],
      descending: [time],
      type: 'index' as const,
    }))
  return [{ columns: ['id', ...deciding], type: 'index' }, ...byTime]
}

/**
 * An index may name `locale`, a column that exists only while the localisation plugin is on. Without the column, an
 * equal index may exist already.
 */
function withoutUselessIndexes(table: TableSpec): TableSpec {
  const columns = new Set(table.columns.map((column) => column.name))
  const indexes = (table.indexes ?? [])
    .map((index) => ({ ...index, columns: index.columns.filter((column) => columns.has(column)) }))
    .filter((index) => index.columns.length > 0)
  const distinct = new Map(indexes.map((index) => [`${index.type} ${index.columns.join()}`, index]))
  return { ...table, indexes: [...distinct.values()] }
}

const onDeleteOf = { CASCADE: 'cascade', 'SET NULL': 'set null', RESTRICT: 'restrict' } as const

function referenceOf(attribute: Attribute, { allTypes }: Schemas): ReferenceSpec[] {
  const column = columnOf(attribute)
  if (column === undefined || !isReference(attribute)) return []
  const target = allTypes.get(targetNameOf(attribute))
  if (target === undefined) return []
  const onDelete = attribute.type === 'relation' ? onDeleteOf[attribute.onDelete] : 'set null'
  return [{ column: column.name, table: target.table, onDelete }]
}

function linkTablesOf(type: ContentType, schemas: Schemas): TableSpec[] {
  return [...type.attributes.values()]
    .filter(hasLinkTable)
    .map((attribute) => linkTableSpec(type, attribute, schemas.linkTable(type, attribute)))
}

function linkTableSpec(
  type: ContentType,
  attribute: ReferenceAttribute,
  { name, target }: LinkTable,
): TableSpec {
  const isRelation = attribute.type === 'relation'
  // A target of a oneToMany relation belongs to one source only.
  const isTargetUnique = isRelation && attribute.relation === 'oneToMany'
  const isRestricted = isRelation && attribute.onDelete === 'RESTRICT'
  return {
    name,
    ...pluginOf(type),
    ...pluginOf(attribute),
    columns: [
      { name: 'source_id', kind: 'reference' },
      { name: 'target_id', kind: 'reference' },
      { name: 'position', kind: 'integer' },
    ],
    primaryKey: ['source_id', 'target_id'],
    indexes: [{ columns: ['target_id'], type: isTargetUnique ? 'unique' : 'index' }],
    references: [
      { column: 'source_id', table: type.table, onDelete: 'cascade' },
      { column: 'target_id', table: target.table, onDelete: isRestricted ? 'restrict' : 'cascade' },
    ],
  }
}
