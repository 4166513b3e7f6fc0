import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import type { List } from '../list-context.ts'
import type { ListState } from '../state/list-state.ts'

/** Whether entries can stand in columns by their state. */
export const hasBoard = ({ workflow }: DescribedType, { isTrash }: ListState) => workflow !== null && !isTrash

/** Changes between rows, and a board by the states of the workflow. */
export function LayoutChoice({ list: { type, state, change } }: { readonly list: List }) {
  if (!hasBoard(type, state)) return null
  const isBoard = state.layout === 'board'
  return (
    <IconButton
      look="secondary"
      icon={isBoard ? 'table' : 'kanban'}
      label={t(isBoard ? 'list.asTable' : 'list.asBoard')}
      onPress={() => change({ layout: isBoard ? undefined : 'board' })}
    />
  )
}
