import { useEntry } from '../../entry-session.ts'
import type { SavedEntry } from './publication-requests.ts'

/** The open entry, if it has been saved. */
export function useSavedEntry(): SavedEntry | undefined {
  const { id, saved, type, locale, take } = useEntry()
  return id === undefined || saved === undefined ? undefined : { id, saved, type, locale, take }
}
