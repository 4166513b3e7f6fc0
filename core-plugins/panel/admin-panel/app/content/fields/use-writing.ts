import { useMemo } from 'react'
import { type Writing, writingOf } from '../../ground/i18n/writing.ts'
import { useEntrySession } from '../entry/entry-session.ts'
import { topFieldOf, type ValuePath } from '../schema/value-path.ts'

/** The language and direction of a field: those of the entry's locale, unless all locales share the field. */
export function useWriting(path: ValuePath): Writing {
  const { type, locale } = useEntrySession()
  return useMemo(() => {
    const field = type.attributes.find(({ name }) => name === topFieldOf(path))
    return writingOf(field?.localized === true ? locale : undefined)
  }, [type, locale, path])
}
