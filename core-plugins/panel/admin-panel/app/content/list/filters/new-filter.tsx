import { t } from '../../../ground/i18n/translate.ts'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import type { List } from '../list-context.ts'
import { ToolbarPopover } from '../toolbar/toolbar-popover.tsx'

const FilterDraft = lazyPart(() => import('./filter-draft.tsx'))

/** Adds a condition, which holds as soon as it is complete. */
export function NewFilter({ list }: { readonly list: List }) {
  return (
    <ToolbarPopover label={t('list.filter')} icon="list-filter">
      <FilterDraft list={list} />
    </ToolbarPopover>
  )
}
