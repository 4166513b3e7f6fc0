import { useDeferredValue, useState } from 'react'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Combobox } from '../../../ground/kit/combobox/combobox.tsx'
import { useMatches } from '../../../ground/kit/combobox/use-matches.ts'
import { searchEntries } from '../data/search-entries.ts'
import { titleOf, useTitles } from '../data/use-titles.ts'
import classes from './filter-chips.module.css'

export interface EntryPickerProps {
  readonly type: DescribedType
  /** The ids of the chosen entries. */
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** Chooses entries by searching. In a file of its own, because it is loaded when a filter needs it. */
export default function EntryPicker({ type, ids, onChange }: EntryPickerProps) {
  const [text, setText] = useState('')
  const titles = useTitles([{ type, ids: ids.map(Number).filter(Number.isInteger) }]).get(type.name)
  const search = useDeferredValue(text.trim())
  const { matches, emptyText } = useMatches({
    queryKey: ['titles', type.name, 'search', search],
    queryFn: ({ signal }) => searchEntries(type, search, { fields: [type.titleField], signal }),
  })
  const items = matches
    .map((entry) => ({ id: String(entry.id), label: titleOf(type, entry) }))
    .filter(({ id }) => !ids.includes(id))
  return (
    <>
      <Combobox
        label={type.info.displayName}
        items={items}
        text={text}
        onText={setText}
        onChoose={(id) => onChange([...ids, id])}
        emptyText={emptyText}
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
