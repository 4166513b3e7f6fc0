import type { EntrySession, Restored } from '../../content/entry/entry-session.ts'
import { formFieldsOf } from '../../content/entry/form/form-fields.ts'
import { createReveal } from '../../content/entry/reveal.ts'
import { idle } from '../../content/entry/save/saving.ts'
import { createEntryStore, type Entry } from '../../content/entry/store/entry-store.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { createObservable } from '../../ground/observable.ts'

/** A read-only session for showing the original in form inputs: nothing is kept or saved. */
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
