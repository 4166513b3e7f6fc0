import { useComponents } from '../api/components.ts'
import { wordsOfPath } from '../fields/words-of-path.ts'
import { useEntrySession } from './entry-session.ts'
import type { ValuePath } from './store/value-path.ts'

/** Says places in the open entry by the titles of fields and blocks; `values` where they are not those of the form. */
export function usePathWords(values?: unknown): (path: ValuePath) => string {
  const { type, store } = useEntrySession()
  const components = useComponents()
  return (path) => wordsOfPath(path, type, components && { components, values: values ?? store.values() })
}
