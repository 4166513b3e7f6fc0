import { idsIn } from '../../content/entry/diff/diff-references.ts'
import type { Entry } from '../../content/entry/store/entry-store.ts'
import { isObject } from '../../content/schema/same-value.ts'

export interface PopulatedFieldsParts {
  readonly values: () => Entry
  /** Top-level fields with relations or files, for paths that begin with `*`. */
  readonly references: readonly string[]
  /** Answers the fields with entries and files in place of ids. */
  readonly load: (fields: Entry, populate: string) => Promise<Entry>
  readonly onLoaded: (fields: Entry) => void
}

/** What was picked in a form, as a page populates it. */
export interface PopulatedFields {
  /** The page has read the entry like this; fields that differ from `base` are new to it. */
  follow(populate: string, base: Entry, fields: Entry): void
  /** Fields have changed; asks for those that refer to something new. */
  change(before: Entry, fields: Entry): void
}

/** Asks once for each change of what is referred to, and never twice at the same time. */
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
      // The page has the ids, and what it populates once the entry is saved.
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

/** The ids at the end of a path, or on its way: what is behind an id is not in the form. */
function referredTo(value: unknown, [name, ...rest]: readonly string[]): readonly number[] {
  if (Array.isArray(value))
    return value.flatMap((item) => referredTo(item, name === undefined ? [] : [name, ...rest]))
  if (!isObject(value)) return typeof value === 'number' ? idsIn(value) : []
  if (name === undefined) return []
  const inner = name === '*' ? Object.values(value) : [value[name]]
  return inner.flatMap((each) => referredTo(each, rest))
}
