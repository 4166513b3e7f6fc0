import { useState } from 'react'
import type { List } from '../list-context.ts'
import { type Filter, isComplete } from './filter.ts'
import FilterEditor from './filter-editor.tsx'

/** The filter being created. The popover mounts it, so each opening starts a new one. */
export default function FilterDraft({ list: { fields, state, change } }: { readonly list: List }) {
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
