import { groupBy } from '../../../kernel/index.ts'
import {
  type Entry,
  repairWrite,
  type StoredEntries,
  type WriteContext,
  type WriteStage,
} from '../../entries/content/content.ts'
import { afterWork, type Transaction } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { isLocalized } from './columns.ts'
import type { GroupStore } from './group-store.ts'
import { changedShared, changedTexts, differing } from './shared-attributes.ts'
import type { SourceChange, SourceChanges } from './source-changes.ts'
import type { Version } from './version.ts'

type Values = Readonly<Record<string, unknown>>

/** A write of one version that the other versions have to follow. */
interface FollowedWrite {
  readonly id: number
  readonly context: WriteContext
  /** The shared values that the write changed. */
  readonly shared: Values
  /** The earlier values of the fields that it changed in its own locale. */
  readonly texts: Values
}

export interface FollowDeps {
  readonly store: GroupStore
  readonly changes: SourceChanges
  readonly storedEntries: StoredEntries
}

/** Updates the other versions of an entry: their shared values and translation status. */
export function followWrites(deps: FollowDeps): WriteStage {
  const follow = afterWork<FollowedWrite>(async (writes, tx) => {
    for (const [type, ofType] of groupBy(writes, ({ context }) => context.type))
      await followType(type, ofType, tx, deps)
  })

  return {
    name: 'i18n: keep versions alike',
    matches: ({ type, operation }) => isLocalized(type) && !['delete', 'restore'].includes(operation),
    async run(context, next) {
      const entry = await next()
      if (needsFollowers(context)) {
        const { type, stored, additions } = context
        const known = stored?.row ?? additions.inherited
        follow(context.tx, {
          ...{ id: entry.id, context },
          shared: changedShared(type, known, entry),
          texts: changedTexts(type, known, entry),
        })
      }
      return entry
    },
  }
}

const isNothing = (values: Values) => Object.keys(values).length === 0

/** A repair needs no followers, because every version is repaired separately. */
function needsFollowers({ operation, outcome, additions, annotations, isDraftWrite }: WriteContext): boolean {
  // Other versions follow a draft when it is published.
  if (annotations.has(repairWrite) || isDraftWrite) return false
  if (operation === 'create') return Object.keys(additions.inherited).length > 0
  // Publishing declares a version up to date, even if it was already published.
  return outcome.event !== undefined || operation === 'publish'
}

async function followType(
  type: ContentType,
  writes: readonly FollowedWrite[],
  tx: Transaction,
  deps: FollowDeps,
): Promise<void> {
  await keepStatuses(type, writes, tx, deps)
  const leading = writes.filter(
    ({ shared, texts, context: { operation } }) =>
      !isNothing(shared) || (!isNothing(texts) && operation !== 'create'),
  )
  if (leading.length === 0) return
  const ids = leading.map(({ id }) => id)
  const groups = new VersionsByEntry(await deps.store.versions(type, ids, tx))
  await markOutdated(type, { writes: leading, groups }, tx, deps)
  await share(type, { writes: leading, groups }, tx, deps)
}

/** See docs/localisation.md: publishing a version sets its status to `published`. */
async function keepStatuses(
  type: ContentType,
  writes: readonly FollowedWrite[],
  tx: Transaction,
  { store, changes }: FollowDeps,
): Promise<void> {
  const last = new Map(writes.map((write) => [write.id, write.context]))
  const idsOf = (wanted: WriteContext['operation']) =>
    [...last].filter(([, { operation }]) => operation === wanted).map(([id]) => id)
  const now = writes.at(-1)?.context.now ?? ''
  const [published, unpublished] = [idsOf('publish'), idsOf('unpublish')]
  if (published.length > 0) {
    await store.setStatus(type, published, { status: 'published', now }, tx)
    await changes.settle(type.name, published, tx)
  }
  if (unpublished.length > 0) {
    await store.setStatus(type, unpublished, { status: 'draft', from: 'published', now }, tx)
  }
}

/** Versions by the ids of all versions of the same entry. */
class VersionsByEntry {
  readonly #byGroup = new Map<string, Version[]>()
  readonly #groupOf = new Map<number, string>()

  constructor(versions: readonly Version[]) {
    for (const version of versions) {
      this.#groupOf.set(version.id, version.group)
      const known = this.#byGroup.get(version.group)
      if (known === undefined) this.#byGroup.set(version.group, [version])
      else known.push(version)
    }
  }

  groupOf(id: number): string {
    return this.#groupOf.get(id) ?? ''
  }

  /** The source comes first. */
  of(id: number): readonly Version[] {
    return this.#byGroup.get(this.groupOf(id)) ?? []
  }
}

interface Led {
  readonly writes: readonly FollowedWrite[]
  readonly groups: VersionsByEntry
}

/**
 * See docs/localisation.md: when localised attributes of the source change, every other version becomes `outdated`, and the
 * earlier values are kept for translators.
 */
async function markOutdated(
  type: ContentType,
  { writes, groups }: Led,
  tx: Transaction,
  { store, changes }: FollowDeps,
): Promise<void> {
  const outdated = new Set<number>()
  const recorded: SourceChange[] = []
  for (const { id, texts, context } of writes) {
    const [source, ...others] = groups.of(id)
    if (isNothing(texts) || source?.id !== id || context.operation === 'create') continue
    for (const other of others) if (other.status !== 'outdated') outdated.add(other.id)
    recorded.push({ sourceId: id, translationIds: others.map((other) => other.id), before: texts })
  }
  await changes.record(type.name, recorded, tx)
  const now = writes.at(-1)?.context.now ?? ''
  if (outdated.size > 0) await store.setStatus(type, [...outdated], { status: 'outdated', now }, tx)
}

/**
 * See docs/localisation.md: a write of shared attributes to any version applies to all; of several writes the
 * last wins.
 */
async function share(
  type: ContentType,
  { writes, groups }: Led,
  tx: Transaction,
  { storedEntries }: FollowDeps,
) {
  const valuesOf = new Map<string, Values>()
  const targets = new Set<number>()
  for (const { id, shared } of writes) {
    const versions = groups.of(id)
    if (versions.length < 2 || Object.keys(shared).length === 0) continue
    valuesOf.set(groups.groupOf(id), { ...valuesOf.get(groups.groupOf(id)), ...shared })
    for (const version of versions) targets.add(version.id)
  }
  const last = writes.at(-1)?.context
  if (targets.size === 0 || last === undefined) return
  const { principal, ip } = last
  const change = (entry: Entry) => {
    const changed = differing(valuesOf.get(groups.groupOf(entry.id)) ?? {}, entry)
    // Drafts may lack required values, public versions may not.
    const isPublic = (entry.published_at ?? null) !== null
    if (isPublic && !isNothing(changed)) storedEntries.assertStaysComplete(type.name, entry, changed)
    return changed
  }
  await storedEntries.repairMany({ type: type.name, principal, ip, tx }, [...targets], change)
}
