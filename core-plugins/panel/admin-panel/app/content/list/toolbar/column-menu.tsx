import { t } from '../../../ground/i18n/translate.ts'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import type { List } from '../list-context.ts'
import { ToolbarPopover } from './toolbar-popover.tsx'

const ColumnChoices = lazyPart(() => import('./column-choices.tsx'))

/** Which columns are shown, and in which order. */
export function ColumnMenu({ list }: { readonly list: List }) {
  return (
    <ToolbarPopover label={t('list.columns')} icon="columns-3">
      <ColumnChoices list={list} />
    </ToolbarPopover>
  )
}
