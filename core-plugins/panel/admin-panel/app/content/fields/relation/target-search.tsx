import { useDeferredValue, useState } from 'react'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Combobox } from '../../../ground/kit/combobox/combobox.tsx'
import { useMatches } from '../../../ground/kit/combobox/use-matches.ts'
import { searchTargets } from './targets.ts'

export interface TargetSearchProps {
  readonly type: DescribedType
  readonly label: string
  readonly locale: string | undefined
  /** Ids already chosen, which are not offered. */
  readonly taken: readonly number[]
  readonly onChoose: (id: number) => void
}

/** Searches entries, matches in titles first; before anything is typed, it offers the most recently changed entries. */
export function TargetSearch({ type, label, locale, taken, onChoose }: TargetSearchProps) {
  const [text, setText] = useState('')
  // No request is sent before the input gets the focus, because a form has many of these.
  const [isWanted, setWanted] = useState(false)
  const search = useDeferredValue(text.trim())
  const { matches, emptyText, retry } = useMatches({
    queryKey: ['targets', type.name, 'search', locale ?? '', search],
    queryFn: ({ signal }) => searchTargets(type, { text: search, locale, signal }),
    isWanted,
  })
  function come() {
    setWanted(true)
    retry()
  }
  const items = matches
    .filter(({ id }) => !taken.includes(id))
    .map(({ id, title, isDraft }) => ({
      id: String(id),
      label: isDraft ? t('relation.draftOption', { title }) : title,
    }))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the input in it has the focus
    <div onFocus={come}>
      <Combobox
        label={label}
        items={items}
        text={text}
        onText={setText}
        onChoose={(id) => onChoose(Number(id))}
        emptyText={emptyText}
      />
    </div>
  )
}
