import { idsIn } from '../../content/entry/diff/diff-references.ts'
import type { Entry } from '../../content/entry/store/entry-store.ts'
import { isObject } from '../../content/schema/same-value.ts'

export interface PopulatedFieldsParts {
  readonly values: () => Entry
  /** Top-level fields with relations or files, for paths that begin with `*`. */
  readonly references: readonly string[]
  /** Returns the fields with entries and files in place of ids. */
  readonly load: (fields: Entry, populate: string) => Promise<Entry>
  readonly onLoaded: (fields: Entry) => void
}

/** Loads newly chosen references in the form in which a page populates them. */
export interface PopulatedFields {
  /** Called when the page has read the entry with this `populate`; fields that differ from `base` are new to it. */
  follow(populate: string, base: Entry, fields: Entry): void
  /** Called after changes; loads fields with new references. */
  change(before: Entry, fields: Entry): void
}

/** Sends one request per change of references, and never two at the same time. */
export function createPopulatedFields({
  values,
  references,
  load,
  onLoaded,
}: PopulatedFieldsParts): PopulatedFields {
  let populate = ''
  let paths: readonly (readonly string[])[] = []
  const wanted = new Set<string>()
  let isLoading = false

  function refersToNew(name: string, before: unknown, now: unknown): boolean {
    const inside = paths.filter(([head]) => head === name || (head === '*' && references.includes(name)))
    return inside.some(([, ...rest]) => {
      const known = new Set(referredTo(before, rest))
      return referredTo(now, rest).some((id) => !known.has(id))
    })
  }

  async function loadWanted(): Promise<void> {
    if (isLoading || wanted.size === 0) return
    isLoading = true
    const asked = Object.fromEntries([...wanted].map((name) => [name, values()[name]]))
    wanted.clear()
    try {
      const loaded = await load(asked, populate)
      const isCurrent = (name: string) => values()[name] === asked[name]
      for (const name of Object.keys(asked)) if (!isCurrent(name)) wanted.add(name)
      onLoaded(Object.fromEntries(Object.entries(loaded).filter(([name]) => isCurrent(name))))
    } catch {
      // On failure, the page has the ids, and will populate them once the entry is saved.
    }
    isLoading = false
    await loadWanted()
  }

  function change(before: Entry, fields: Entry): void {
    for (const [name, value] of Object.entries(fields)) {
      if (refersToNew(name, before[name], value)) wanted.add(name)
    }
    void loadWanted()
  }

  return {
    change,
    follow(text, base, fields) {
      populate = text
      paths = text.split(',').map((path) => path.trim().split('.'))
      change(base, fields)
    },
  }
}

/** The ids at the end of a path or on the way: data behind an id is not in the form. */
function referredTo(value: unknown, [name, ...rest]: readonly string[]): readonly number[] {
  if (Array.isArray(value))
    return value.flatMap((item) => referredTo(item, name === undefined ? [] : [name, ...rest]))
  if (!isObject(value)) return typeof value === 'number' ? idsIn(value) : []
  if (name === undefined) return []
  const inner = name === '*' ? Object.values(value) : [value[name]]
  return inner.flatMap((each) => referredTo(each, rest))
}
