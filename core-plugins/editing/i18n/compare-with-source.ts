import { isDeepStrictEqual } from 'node:util'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Entry, StoredEntries } from '../../entries/content/content.ts'
import type { LocalizationDiff } from './i18n.ts'
import { localizedNames } from './shared-attributes.ts'
import type { SourceChanges } from './source-changes.ts'
import type { Seen, Version } from './version.ts'

export interface CompareDeps {
  readonly auth: Auth
  readonly storedEntries: StoredEntries
  readonly changes: SourceChanges
}

/** One version, with all versions of its entry that the caller may see. */
interface SeenVersion extends Seen {
  readonly version: Version
}

/** See `Localizations.diff`. */
export async function compareWithSource(deps: CompareDeps, seen: SeenVersion): Promise<LocalizationDiff> {
  const { type, versions, entries, version } = seen
  const [source = version] = versions
  const [left, right] = [entries.get(source.id), entries.get(version.id)]
  const before = await sourceBefore(deps, seen, source)
  return {
    sourceLocale: source.locale,
    locale: version.locale,
    fields: localizedNames(type).map((field) => {
      const [now, translation] = [left?.[field] ?? null, right?.[field] ?? null]
      const was = before?.has(field) === true ? before.get(field) : now
      return {
        ...{ field, source: now, translation, same: isDeepStrictEqual(now, translation) },
        changed: !isDeepStrictEqual(was ?? null, now),
        ...(was === undefined || isDeepStrictEqual(was, now) ? {} : { before: was }),
      }
    }),
  }
}

/**
 * The values of the source, by field, when the translation was last up to date, as the caller may see them. Only for callers who
 * see drafts, because the source may have been a draft.
 */
async function sourceBefore(
  { auth, storedEntries, changes }: CompareDeps,
  { request: { principal }, type, version, isWhole }: SeenVersion,
  source: Version,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  if (version.status !== 'outdated' || !isWhole || !auth.seesDrafts(principal, type.name)) return undefined
  const found = await changes.of(type.name, version.id)
  if (found === undefined || found.sourceId !== source.id) return undefined
  const known = [...found.values].filter(([, value]) => value !== undefined)
  const state: Entry = { ...Object.fromEntries(known), id: source.id }
  storedEntries.fitToSchema(type.name, state)
  const [shown = state] = await storedEntries.shownTo(principal, type.name, [state])
  return new Map(
    [...found.values].map(([field, value]) => [field, value === undefined ? value : shown[field]]),
  )
}
