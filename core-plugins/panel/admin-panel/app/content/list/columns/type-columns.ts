import type { Access } from '../../../ground/access/access.ts'
import type { DescribedAttribute, DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { isForType } from '../../../shell/plugins/shown-parts.ts'
import { fieldKindOf } from '../../schema/field-kinds.ts'
import { labelOf } from '../../schema/label.ts'
import { type ValueColumn, valueKindOf } from '../../schema/value-kinds.ts'

/** How a column shows its value. */
export type ColumnKind =
  | ValueColumn
  | 'publication'
  | 'workflow'
  | 'locales'
  | 'person'
  | 'people'
  | 'contributed'
  | 'field'

/** What the list needs to know about a plugin's column; cells/column-cell.tsx renders its cells. */
export interface ContributedColumn {
  readonly id: string
  readonly label: string
  readonly isShownAtFirst?: boolean
  readonly types?: readonly string[]
}

/** What can be a column of a type. */
export interface TypeColumn {
  readonly id: string
  readonly label: string
  readonly kind: ColumnKind
  /** The API field for sorting; undefined if the column cannot be sorted. */
  readonly sortField?: string
  /** The field with the value; undefined if the value is in `_meta`. */
  readonly field?: string
  readonly attribute?: DescribedAttribute
  /** The type that a relation leads to. */
  readonly target?: DescribedType
  /** The name of a plugin's value in `_meta`. */
  readonly meta?: string
  /** Set if a plugin renders the cells. */
  readonly contributed?: ContributedColumn
}

/** Everything that can be a column, in the order of the schema file. */
export function columnsOfType(
  type: DescribedType,
  types: readonly DescribedType[],
  access: Pick<Access, 'isOn'>,
  contributed: readonly { readonly part: ContributedColumn }[] = [],
): readonly TypeColumn[] {
  return [
    ...attributeColumns(type, types),
    ...contributed.flatMap(({ part }) => (isForType(part, type.name) ? [contributedColumn(part)] : [])),
    ...systemColumns(type, access),
  ]
}

const contributedColumn = (contributed: ContributedColumn): TypeColumn => ({
  id: contributed.id,
  label: contributed.label,
  kind: 'contributed',
  contributed,
})

function attributeColumns(
  { attributes, addedFields = [] }: DescribedType,
  types: readonly DescribedType[],
): TypeColumn[] {
  // Also fields that plugins add in columns of their own; attribute members that they lack matter only in forms.
  return [...attributes, ...(addedFields as readonly DescribedAttribute[])].flatMap((attribute) => {
    const kind = kindOf(attribute)
    if (kind === undefined || attribute.inverse === true || isHidden(attribute)) return []
    const { name } = attribute
    const target = types.find((each) => each.name === attribute.target)
    const column = { id: name, label: labelOf(attribute), kind, field: name, attribute }
    return [
      {
        ...column,
        ...(target !== undefined && { target }),
        ...(valueKindOf(attribute.type).isSortable && { sortField: name }),
      },
    ]
  })
}

/** The cell of a plugin takes precedence over the panel's own way of showing such values. */
function kindOf(attribute: DescribedAttribute): ColumnKind | undefined {
  return fieldKindOf(attribute)?.cell === undefined ? valueKindOf(attribute.type).column : 'field'
}

function isHidden({ pluginOptions }: DescribedAttribute): boolean {
  const { hiddenIn } = (pluginOptions?.panel ?? {}) as { readonly hiddenIn?: unknown }
  return Array.isArray(hiddenIn) && hiddenIn.includes('list')
}

/** The columns that are not attributes. Attribute names never begin with an underscore, so the ids do not collide. */
function systemColumns(type: DescribedType, { isOn }: Pick<Access, 'isOn'>): TypeColumn[] {
  const { draftAndPublish, timestamps } = type.options
  const columns: (TypeColumn | false)[] = [
    { id: 'id', label: t('list.column.id'), kind: 'number', field: 'id', sortField: 'id' },
    draftAndPublish === true && {
      id: '_publication',
      label: t('list.column.publication'),
      kind: 'publication',
      field: 'published_at',
      sortField: 'published_at',
    },
    type.workflow !== null && {
      id: '_workflow',
      label: t('list.column.workflow'),
      kind: 'workflow',
      meta: 'workflow_state',
      sortField: 'workflow_state',
    },
    type.locales.length > 0 && {
      id: '_locales',
      label: t('list.column.locales'),
      kind: 'locales',
      meta: 'locales',
    },
    timestamps !== false && timeColumn('created_at', t('list.column.createdAt')),
    timestamps !== false && timeColumn('updated_at', t('list.column.updatedAt')),
    ...(isOn('authors') ? authorColumns() : []),
    isOn('discussion') && {
      id: '_assignees',
      label: t('list.column.assignees'),
      kind: 'people',
      meta: 'assignees',
      sortField: 'assignee',
    },
  ]
  return columns.filter((column) => column !== false)
}

/** The column of a timestamp by its API name. */
export const timeColumn = (name: string, label: string): TypeColumn => ({
  id: name,
  label,
  kind: 'datetime',
  field: name,
  sortField: name,
})

const authorColumns = (): TypeColumn[] => [
  {
    id: '_created_by',
    label: t('list.column.createdBy'),
    kind: 'person',
    meta: 'created_by',
    sortField: 'created_by',
  },
  {
    id: '_updated_by',
    label: t('list.column.updatedBy'),
    kind: 'person',
    meta: 'updated_by',
    sortField: 'updated_by',
  },
]
