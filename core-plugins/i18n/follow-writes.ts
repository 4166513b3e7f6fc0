import type { Content, Entry, WriteContext, WriteStage } from '../content/content.ts'
import { afterWork, type Transaction } from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'
import { isLocalized } from './columns.ts'
import type { GroupStore, Version } from './group-store.ts'
import { changedShared, differing, isTextChanged } from './shared-attributes.ts'

type Values = Readonly<Record<string, unknown>>

/** A write of one version, as far as others have to follow it. */
interface FollowedWrite {
  readonly id: number
  readonly context: WriteContext
  /** What it has changed of what all versions share. */
  readonly shared: Values
  /** Whether it has changed what is said in its own locale. */
  readonly isTextChanged: boolean
}

export interface FollowScope {
  readonly store: GroupStore
  readonly content: Content
}

/** Late, so that it sees what is stored; before the search index, which no other stage may come behind. */
const inner = 900

/** Brings the other versions of an entry up to date: what they share, and how far they have come. */
export function followWrites(scope: FollowScope): WriteStage {
  const follow = afterWork<FollowedWrite>(async (writes, tx) => {
    for (const [type, ofType] of byType(writes)) await followType(type, ofType, tx, scope)
  })

  return {
    name: 'i18n: keep versions alike',
    order: inner,
    matches: ({ type, operation }) => isLocalized(type) && !['delete', 'restore'].includes(operation),
    async run(context, next) {
      const entry = await next()
      if (needsFollowers(context)) {
        const { type, row } = context
        const known = row ?? context.inherited
        follow(context.tx, {
          ...{ id: entry.id, context },
          shared: changedShared(type, known, entry),
          isTextChanged: isTextChanged(type, known, entry),
        })
      }
      return entry
    },
  }
}

/** What the service itself sets right it sets right in each version. */
function needsFollowers({ operation, event, inherited, isRepair, isDraftWrite }: WriteContext): boolean {
  // A draft is followed when it is published.
  if (isRepair || isDraftWrite) return false
  if (operation === 'create') return Object.keys(inherited).length > 0
  // Whoever publishes says that the version is up to date, also where it was published before.
  return event !== undefined || operation === 'publish'
}

function byType(writes: readonly FollowedWrite[]): Map<ContentType, FollowedWrite[]> {
  const groups = new Map<ContentType, FollowedWrite[]>()
  for (const write of writes) {
    const { type } = write.context
    groups.set(type, [...(groups.get(type) ?? []), write])
  }
  return groups
}

async function followType(
  type: ContentType,
  writes: readonly FollowedWrite[],
  tx: Transaction,
  scope: FollowScope,
): Promise<void> {
  await keepStatuses(type, writes, tx, scope)
  const leading = writes.filter(
    ({ shared, isTextChanged, context: { operation } }) =>
      Object.keys(shared).length > 0 || (isTextChanged && operation !== 'create'),
  )
  if (leading.length === 0) return
  const ids = leading.map(({ id }) => id)
  const groups = new VersionsByEntry(await scope.store.versions(type, ids, tx))
  await markOutdated(type, { writes: leading, groups }, tx, scope)
  await share(type, { writes: leading, groups }, tx, scope)
}

/** decisions.md, 4: publishing a localisation makes it `published`. */
async function keepStatuses(
  type: ContentType,
  writes: readonly FollowedWrite[],
  tx: Transaction,
  { store }: FollowScope,
): Promise<void> {
  const last = new Map(writes.map((write) => [write.id, write.context]))
  const idsOf = (wanted: WriteContext['operation']) =>
    [...last].filter(([, { operation }]) => operation === wanted).map(([id]) => id)
  const now = writes.at(-1)?.context.now ?? ''
  const [published, unpublished] = [idsOf('publish'), idsOf('unpublish')]
  if (published.length > 0) await store.setStatus(type, published, { status: 'published', now }, tx)
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

/** decisions.md, 4: when the localised attributes of the source change, every other version becomes `outdated`. */
async function markOutdated(
  type: ContentType,
  { writes, groups }: Led,
  tx: Transaction,
  { store }: FollowScope,
): Promise<void> {
  const outdated = new Set<number>()
  for (const { id, isTextChanged } of writes) {
    const [source, ...others] = groups.of(id)
    if (!isTextChanged || source?.id !== id) continue
    for (const other of others) if (other.status !== 'outdated') outdated.add(other.id)
  }
  const now = writes.at(-1)?.context.now ?? ''
  if (outdated.size > 0) await store.setStatus(type, [...outdated], { status: 'outdated', now }, tx)
}

/** decisions.md, 4: a write of shared attributes to any version writes them to all; of several writes the last counts. */
async function share(type: ContentType, { writes, groups }: Led, tx: Transaction, { content }: FollowScope) {
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
  const change = (entry: Entry) => differing(valuesOf.get(groups.groupOf(entry.id)) ?? {}, entry)
  await content.repairMany({ type: type.name, principal, ip, tx }, [...targets], change)
}
