import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { PersonName } from '../../../../client/admin.ts'
import { admin } from '../api/admin.ts'
import { Combobox } from '../kit/combobox/combobox.tsx'

export interface PersonSearchProps {
  readonly label: string
  /** Not offered. */
  readonly taken: readonly number[]
  readonly onChoose: (person: PersonName) => void
}

/** Finds colleagues by their usernames. */
export function PersonSearch({ label, taken, onChoose }: PersonSearchProps) {
  const [text, setText] = useState('')
  const [isWanted, setWanted] = useState(false)
  const search = useDeferredValue(text.trim())
  const { data = [] } = useQuery({
    queryKey: ['people', 'search', search],
    queryFn: ({ signal }) => admin.people(search, { signal, limit: 20 }),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
  const people = data.filter(({ id }) => !taken.includes(id))
  function choose(id: string) {
    const person = people.find((each) => String(each.id) === id)
    if (person !== undefined) onChoose(person)
    setText('')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the input in it has the focus
    <div onFocus={() => setWanted(true)}>
      <Combobox
        label={label}
        items={people.map(({ id, username }) => ({ id: String(id), label: username }))}
        text={text}
        onText={setText}
        onChoose={choose}
      />
    </div>
  )
}
