import { lazy } from 'react'
import { t } from '../../i18n/translate.ts'
import type { List } from '../list-context.ts'
import { ToolbarPopover } from './toolbar-popover.tsx'

const ColumnChoices = lazy(() => import('./column-choices.tsx'))

/** Which columns are shown, and in which order. */
export function ColumnMenu({ list }: { readonly list: List }) {
  return (
    <ToolbarPopover label={t('list.columns')} icon="columns-3">
      <ColumnChoices list={list} />
    </ToolbarPopover>
  )
}
