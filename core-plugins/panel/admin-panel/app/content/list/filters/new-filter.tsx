import { useState } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import type { List } from '../list-context.ts'
import { ToolbarPopover } from '../toolbar/toolbar-popover.tsx'
import { type Filter, isComplete } from './filter.ts'

const FilterEditor = lazyPart(() => import('./filter-editor.tsx'))

/** Adds a condition, which holds as soon as it is complete. */
export function NewFilter({ list }: { readonly list: List }) {
  return (
    <ToolbarPopover label={t('list.filter')} icon="list-filter">
      <Draft list={list} />
    </ToolbarPopover>
  )
}

/** The condition being made; the box is mounted anew each time that it opens. */
function Draft({ list: { fields, state, change } }: { readonly list: List }) {
  const [before] = useState(state.filters)
  const [filter, setFilter] = useState<Filter>()
  return (
    <FilterEditor
      fields={fields}
      filter={filter}
      problem={undefined}
      onChange={(next) => {
        setFilter(next)
        const isFirst = state.filters.length === before.length
        if (isComplete(next)) change({ filters: [...before, next] }, { replace: !isFirst })
        else if (!isFirst) change({ filters: before }, { replace: true })
      }}
    />
  )
}
