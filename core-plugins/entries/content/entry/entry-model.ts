import type { ColumnKind, Conversions, Held } from '../../../foundation/database/database.ts'
import {
  type Attribute,
  type ContentType,
  columnOf,
  createJsonShapes,
  hasLinkTable,
  hasUuid,
  holdsComponents,
  isInverse,
  type LinkTable,
  type ReferenceAttribute,
  type RelationAttribute,
  type Schemas,
  uuidColumn,
} from '../../../foundation/schemas/schemas.ts'
import type { FindShown, ShownValue } from '../shown-values.ts'
import type { EntryColumn, EntryColumns } from './entry-extensions.ts'
import { createFittings, type Fitting } from './fit-components.ts'

/** A field of an entry that has a column in the type's own table. */
export interface ColumnField {
  readonly name: string
  readonly column: string
  readonly kind: ColumnKind
  /** The length of a string column. */
  readonly length?: number
  readonly nullable: boolean
  /** Undefined for system fields. */
  readonly attribute?: Attribute
  /** The type that its column still has while its conversion is pending. */
  readonly held?: () => Held | undefined
  /** What the field shows instead of the column's value. Call it only after all plugins have contributed. */
  readonly shown?: (() => ShownValue | undefined) | undefined
  /** Fits stored values to the schema; for components and zones. */
  readonly fit?: Fitting | undefined
}

/** A field of an entry that is stored in a link table: an owning to-many relation, or several media. */
export interface LinkField {
  readonly name: string
  readonly attribute: ReferenceAttribute
  readonly link: LinkTable
}

/** The inverse side of a relation; stores no data of its own. */
export interface InverseField {
  readonly name: string
  readonly attribute: RelationAttribute
  readonly target: ContentType
  /** The attribute of `target` that owns the relation. */
  readonly owner: RelationAttribute
}

/** A content type as the content engine sees it; compiled once at the start. */
export interface EntryModel {
  readonly type: ContentType
  /** Readable fields with a column: the shown ones, in display order, and the UUID. */
  readonly columns: ReadonlyMap<string, ColumnField>
  readonly links: ReadonlyMap<string, LinkField>
  readonly inverses: ReadonlyMap<string, InverseField>
  /** All columns and links, in display order. */
  readonly stored: readonly (ColumnField | LinkField)[]
  /** The subset of `stored` that entries show: types without `timestamps` hide theirs. */
  readonly shownNames: ReadonlySet<string>
  /**
   * When an entry was moved to the trash; shown only for entries in it. Undefined for types without a trash.
   */
  readonly deletedAt: ColumnField | undefined
  /** Identifies the entry in every service that has a copy of it. Shown only on request; undefined for types without UUIDs. */
  readonly uuid: ColumnField | undefined
  /** Columns added by other plugins, shown or not. */
  readonly added: readonly EntryColumn[]
  /** Whether some entries are hidden from some callers: drafts and soft-deleted ones. */
  readonly hasHiddenEntries: boolean
}

/** What models are compiled from besides the schemas. */
export interface ModelParts {
  readonly columnsOfPlugins?: readonly EntryColumns[]
  readonly conversions?: Conversions
  readonly shownBy?: FindShown
}

/** Compiles all types, including system types, because relations may refer to them. */
export function compileModels(
  schemas: Schemas,
  { columnsOfPlugins = [], conversions, shownBy }: ModelParts = {},
): ReadonlyMap<string, EntryModel> {
  const fittingOf = createFittings()
  const shapeOf = createJsonShapes(schemas)
  const modelOf = (type: ContentType) =>
    compileModel(type, {
      schemas,
      fittingOf: (attribute) => (holdsComponents(attribute) ? fittingOf(shapeOf(attribute)) : undefined),
      conversions,
      shownBy,
      added: columnsOfPlugins.flatMap((columnsOf) => columnsOf(type)),
    })
  return new Map([...schemas.allTypes.values()].map((type) => [type.name, modelOf(type)]))
}

interface ModelDeps {
  readonly schemas: Schemas
  readonly fittingOf: (attribute: Attribute) => Fitting | undefined
  readonly conversions: Conversions | undefined
  readonly shownBy: FindShown | undefined
  readonly added: readonly EntryColumn[]
}

function compileModel(type: ContentType, deps: ModelDeps): EntryModel {
  const { schemas, added } = deps
  const attributes = [...type.attributes.values()].filter((attribute) => !attribute.private)
  const fields = attributes.flatMap((attribute) => storedField(type, attribute, deps))
  const stored = [idField, ...fields, ...added.flatMap(addedField), ...systemFields(type)]
  const shown = stored.filter(({ name }) => type.options.timestamps || !timestampNames.includes(name))
  const uuid = hasUuid(type) ? uuidField : undefined
  return {
    type,
    stored,
    added,
    deletedAt: type.options.softDelete ? deletedAtField : undefined,
    uuid,
    shownNames: new Set(shown.map(({ name }) => name)),
    columns: byName([...shown.filter((field) => 'column' in field), ...(uuid === undefined ? [] : [uuid])]),
    links: byName(shown.filter((field) => 'link' in field)),
    inverses: byName(attributes.flatMap((attribute) => inverseField(attribute, schemas))),
    hasHiddenEntries: type.options.draftAndPublish || type.options.softDelete,
  }
}

function byName<Field extends { readonly name: string }>(
  fields: readonly Field[],
): ReadonlyMap<string, Field> {
  return new Map(fields.map((field) => [field.name, field]))
}

const deletedAtField: ColumnField = {
  name: 'deleted_at',
  column: 'deleted_at',
  kind: 'datetime',
  nullable: true,
}

const uuidField: ColumnField = { name: 'uuid', column: uuidColumn, kind: 'string', nullable: true }

const idField: ColumnField = { name: 'id', column: 'id', kind: 'id', nullable: false }

function storedField(
  type: ContentType,
  attribute: Attribute,
  { schemas, fittingOf, conversions, shownBy }: ModelDeps,
): (ColumnField | LinkField)[] {
  const { name } = attribute
  if (hasLinkTable(attribute)) return [{ name, attribute, link: schemas.linkTable(type, attribute) }]
  const column = columnOf(attribute)
  if (column === undefined) return []
  const fit = fittingOf(attribute)
  const { kind, length } = column
  return [
    {
      ...{ name, column: column.name, kind, nullable: true, attribute, fit },
      ...(length === undefined ? {} : { length }),
      held: () => conversions?.heldBy(type.table, column.name),
      shown: shownBy && (() => shownBy(type, name)),
    },
  ]
}

function inverseField(attribute: Attribute, schemas: Schemas): InverseField[] {
  if (!isInverse(attribute)) return []
  const target = schemas.allTypes.get(attribute.target)
  const owner = target?.attributes.get(attribute.mappedBy ?? '')
  if (target === undefined || owner?.type !== 'relation') {
    throw new Error(`${attribute.name}: mappedBy does not name a relation of ${attribute.target}`)
  }
  return [{ name: attribute.name, attribute, target, owner }]
}

function addedField({ column, kind, field, isShown }: EntryColumn): ColumnField[] {
  return isShown ? [{ name: field, column, kind, nullable: true }] : []
}

const timestampNames: readonly string[] = ['created_at', 'updated_at']

/** Timestamps come last, as in the examples of the specification. */
function systemFields(type: ContentType): ColumnField[] {
  const hasDrafts = type.options.draftAndPublish && !type.system
  return [...(hasDrafts ? ['published_at'] : []), ...timestampNames].map((name) => ({
    name,
    column: name,
    kind: 'datetime',
    nullable: name === 'published_at',
  }))
}
