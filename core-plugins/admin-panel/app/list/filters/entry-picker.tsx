import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { DescribedType } from '../../api/content-types.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../kit/button/button.tsx'
import { Combobox } from '../../kit/combobox/combobox.tsx'
import { readPage } from '../data/use-entries.ts'
import { titleOf, useTitles } from '../data/use-titles.ts'
import classes from './filter-chips.module.css'

export interface EntryPickerProps {
  readonly type: DescribedType
  /** Of the entries that are chosen. */
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

const offered = 20

/** Chooses entries by their titles. A file of its own, because it is loaded when a filter needs it. */
export default function EntryPicker({ type, ids, onChange }: EntryPickerProps) {
  const [text, setText] = useState('')
  const titles = useTitles([{ type, ids: ids.map(Number).filter(Number.isInteger) }]).get(type.name)
  const items = useMatches(type, useDeferredValue(text)).filter(({ id }) => !ids.includes(id))
  return (
    <>
      <Combobox
        label={type.info.displayName}
        items={items}
        text={text}
        onText={setText}
        onChoose={(id) => onChange([...ids, id])}
      />
      {ids.length > 0 && (
        <div className={classes.chosen}>
          {ids.map((id) => {
            const title = titles?.get(Number(id)) ?? `#${id}`
            return (
              <Button
                key={id}
                size="s"
                icon="x"
                aria-label={t('list.removeFilter', { filter: title })}
                onPress={() => onChange(ids.filter((each) => each !== id))}
              >
                {title}
              </Button>
            )
          })}
        </div>
      )}
    </>
  )
}

function useMatches(type: DescribedType, text: string) {
  const search = text.trim()
  const { data } = useQuery({
    queryKey: ['titles', type.name, 'search', search],
    queryFn: async ({ signal }) => {
      const matching = search === '' ? {} : { search, searchFields: [type.titleField] }
      const request = { ...matching, fields: [type.titleField], limit: offered, total: false, signal }
      const { data: entries } = await readPage(type, request)
      return entries.map((entry) => ({ id: String(entry.id), label: titleOf(type, entry) }))
    },
    placeholderData: (previous) => previous,
  })
  return data ?? []
}
