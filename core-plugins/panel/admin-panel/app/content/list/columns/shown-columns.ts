import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { valueKindOf } from '../../schema/value-kinds.ts'
import type { ChosenColumn, ListState } from '../state/list-state.ts'
import { type TypeColumn, timeColumn } from './type-columns.ts'

/** A column that is shown, with its width. */
export type ShownColumn = TypeColumn & Pick<ChosenColumn, 'width'>

/** How many fields are shown after the title if no columns are chosen. */
const defaultFields = 3

/** The columns of a list: chosen in the URL, else configured by the type, else the first fields. */
export function shownColumns(
  type: DescribedType,
  all: readonly TypeColumn[],
  { columns, isTrash }: Pick<ListState, 'columns' | 'isTrash'>,
): readonly ShownColumn[] {
  const byId = new Map(all.map((column) => [column.id, column]))
  const chosen = columns ?? defaultColumns(type, all).map((id) => ({ id }))
  const known = chosen.flatMap((choice) => {
    const column = byId.get(choice.id)
    return column === undefined ? [] : [{ ...column, ...choice }]
  })
  const shown = known.length > 0 ? known : all.slice(0, 1)
  return isTrash ? [...shown.slice(0, 1), trashColumn(), ...shown.slice(1)] : shown
}

/** The time at which an entry was moved to the trash; shown in the trash only. */
const trashColumn = (): TypeColumn => timeColumn('deleted_at', t('list.column.deletedAt'))

/** The default columns of a type. */
function defaultColumns(type: DescribedType, all: readonly TypeColumn[]): readonly string[] {
  const { columns } = (type.pluginOptions.panel ?? {}) as { readonly columns?: unknown }
  if (Array.isArray(columns)) return columns.filter((id) => typeof id === 'string')
  const short = all.filter(
    ({ id, field, attribute }) =>
      field === id &&
      attribute !== undefined &&
      id !== type.titleField &&
      valueKindOf(attribute.type).isLong !== true,
  )
  const system = ['_publication', '_workflow', '_locales', 'updated_at']
  const ids = new Set(all.map(({ id }) => id))
  return [
    type.titleField,
    ...short.slice(0, defaultFields).map(({ id }) => id),
    ...all.filter(({ contributed }) => contributed?.isShownAtFirst === true).map(({ id }) => id),
    ...system.filter((id) => ids.has(id)),
  ]
}
