import { useDeferredValue, useState } from 'react'
import type { PersonName } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'
import { Combobox } from '../../ground/kit/combobox/combobox.tsx'
import { useMatches } from '../../ground/kit/combobox/use-matches.ts'

export interface PersonSearchProps {
  readonly label: string
  /** Ids not to offer. */
  readonly taken: readonly number[]
  readonly onChoose: (person: PersonName) => void
}

/** Searches admin users by username. */
export function PersonSearch({ label, taken, onChoose }: PersonSearchProps) {
  const [text, setText] = useState('')
  const [isWanted, setWanted] = useState(false)
  const search = useDeferredValue(text.trim())
  const { matches, emptyText, retry } = useMatches({
    queryKey: ['people', 'search', search],
    queryFn: ({ signal }) => admin.people(search, { signal, limit: 20 }),
    isWanted,
  })
  function come() {
    setWanted(true)
    retry()
  }
  const people = matches.filter(({ id }) => !taken.includes(id))
  function choose(id: string) {
    const person = people.find((each) => String(each.id) === id)
    if (person !== undefined) onChoose(person)
    setText('')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the input in it has the focus
    <div onFocus={come}>
      <Combobox
        label={label}
        items={people.map(({ id, username }) => ({ id: String(id), label: username }))}
        text={text}
        onText={setText}
        onChoose={choose}
        emptyText={emptyText}
      />
    </div>
  )
}
