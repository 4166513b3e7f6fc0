import type { DescribedType } from '../api/content-types.ts'
import type { EntrySession, Restored } from '../entry/entry-session.ts'
import { formFieldsOf } from '../entry/form/form-fields.ts'
import { createObservable } from '../entry/observable.ts'
import { createReveal } from '../entry/reveal.ts'
import { idle } from '../entry/save/saving.ts'
import { createEntryStore, type Entry } from '../entry/store/entry-store.ts'

/** The original in the inputs of the form, to be read only: nothing of it is kept, and nothing saved. */
export function sourceSession(type: DescribedType, entry: Entry): EntrySession {
  const fields = formFieldsOf(type).map(({ name }) => name)
  const saved = { entry, etag: '' }
  return {
    ...createReveal(),
    store: createEntryStore({ base: entry, values: entry, saved, fields }),
    type,
    locale: String(entry.locale),
    versions: [],
    isReadOnly: true,
    saving: createObservable(idle),
    restored: createObservable<Restored | undefined>(undefined),
    isAt: () => false,
    discard() {},
    close() {},
    save: async () => false,
    refresh: async () => {},
    take() {},
  }
}
