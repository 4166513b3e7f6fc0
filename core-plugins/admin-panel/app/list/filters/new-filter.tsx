import { lazy, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { useIsNarrow } from '../../kit/page/use-is-narrow.ts'
import { Popover } from '../../kit/popover/popover.tsx'
import type { List } from '../list-context.ts'
import { type Filter, isComplete } from './filter.ts'

const FilterEditor = lazy(() => import('./filter-editor.tsx'))

/** Adds a condition, which holds as soon as it is complete. */
export function NewFilter({ list }: { readonly list: List }) {
  const isNarrow = useIsNarrow()
  const label = t('list.filter')
  return (
    <Popover
      label={label}
      trigger={
        isNarrow ? (
          <IconButton look="secondary" icon="list-filter" label={label} />
        ) : (
          <Button icon="list-filter">{label}</Button>
        )
      }
    >
      <Draft list={list} />
    </Popover>
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
