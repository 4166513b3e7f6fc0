import { useComponents } from '../../ground/api/components.ts'
import type { ValuePath } from '../schema/value-path.ts'
import { wordsOfPath } from '../schema/words-of-path.ts'
import { useEntrySession } from './entry-session.ts'

/** Describes paths in the open entry by the labels of fields and blocks; pass `values` if they are not the form's. */
export function usePathWords(values?: unknown): (path: ValuePath) => string {
  const { type, store } = useEntrySession()
  const components = useComponents()
  return (path) => wordsOfPath(path, type, components && { components, values: values ?? store.values() })
}
