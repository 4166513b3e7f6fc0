import { useMemo } from 'react'
import { type Writing, writingOf } from '../../ground/i18n/writing.ts'
import { useEntrySession } from '../entry/entry-session.ts'
import { topFieldOf, type ValuePath } from '../schema/value-path.ts'

/** How the text of a field is written: as the locale of its entry, unless all locales share it. */
export function useWriting(path: ValuePath): Writing {
  const { type, locale } = useEntrySession()
  return useMemo(() => {
    const field = type.attributes.find(({ name }) => name === topFieldOf(path))
    return writingOf(field?.localized === true ? locale : undefined)
  }, [type, locale, path])
}
