import { randomUUID } from 'node:crypto'
import {
  type Entry,
  isForGood,
  type StoredEntries,
  type WriteAnnotation,
  type WriteContext,
  type WriteStage,
  writeAnnotation,
} from '../../entries/content/content.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import {
  groupColumn,
  isLocalized,
  localeColumn,
  statusAtColumn,
  statusColumn,
  uniqueLocaleColumn,
} from './columns.ts'
import type { GroupStore } from './group-store.ts'
import type { Locales } from './locales.ts'
import { differing, sharedValues } from './shared-attributes.ts'
import type { Version } from './version.ts'

/** The entry that a new version is added to. */
export interface Joined {
  readonly versions: readonly Version[]
  /** One of the existing versions, as stored. */
  readonly base: Entry
}

/** Set on a create that adds a version to an entry. */
export const joinedVersions: WriteAnnotation<Joined> = writeAnnotation('i18n.joined-versions')

export interface JoinDeps {
  readonly locales: Locales
  readonly store: GroupStore
  readonly storedEntries: StoredEntries
}

/** Gives new entries their locale and group, and ensures that an entry has one version per locale. */
export function joinGroup(deps: JoinDeps): WriteStage {
  return {
    name: 'i18n: locale and group',
    matches: ({ type, operation }) =>
      isLocalized(type) && ['create', 'delete', 'restore'].includes(operation),
    async run(context, next) {
      const { type, operation, before, additions } = context
      // The versions of a single type form one group, which contains each locale once.
      additions.isSingleClaimed = false
      if (operation === 'create') await prepare(context, deps)
      if (operation === 'restore') await comeBack(context, deps)
      if (isForGood(context)) additions.heir = await heirOf(context, deps)
      if (operation !== 'create' && type.options.softDelete) {
        const claimed = operation === 'restore' ? before?.locale : null
        additions.columns = { ...additions.columns, [uniqueLocaleColumn(type)]: claimed }
      }
      const locale = additions.columns[localeColumn] ?? before?.locale
      try {
        return await next()
      } catch (error) {
        throw isAboutLocaleOnly(error) ? takenLocale(type, locale, error) : error
      }
    },
  }
}

async function prepare(context: WriteContext, deps: JoinDeps): Promise<void> {
  const { type, data, now, annotations, additions } = context
  const added = annotations.get(joinedVersions)
  const joined = added ?? (await joinedSingle(context, deps))
  if (joined !== undefined) additions.inherited = sharedValues(type, joined.base)
  const locale = data.locale ?? (added === undefined ? deps.locales.defaultOf(type) : undefined)
  const problem = locale === undefined ? missingLocale : deps.locales.problemOf(type, locale)
  if (problem !== undefined) {
    additions.problems.push(problem)
    return
  }
  if (joined?.versions.some((version) => version.locale === locale)) throw takenLocale(type, locale)
  additions.columns = {
    ...additions.columns,
    [uniqueLocaleColumn(type)]: locale,
    [localeColumn]: locale,
    [groupColumn]: groupOf(type, joined),
    ...(joined === undefined ? {} : { [statusColumn]: 'draft', [statusAtColumn]: now }),
  }
}

const missingLocale = { path: 'locale', code: 'required', message: 'is required' }

/** References to one version mean the entry, which exists as long as any version does; so another version inherits them. */
async function heirOf({ type, tx, before }: WriteContext, { store }: JoinDeps): Promise<number | undefined> {
  if (before === undefined) return undefined
  return (await store.versions(type, [before.id], tx)).find(({ id }) => id !== before.id)?.id
}

/** Updates the shared values of a restored version, which may have changed in the meantime. @throws AppError 409 */
async function comeBack(context: WriteContext, { store, storedEntries }: JoinDeps): Promise<void> {
  const { type, tx, principal, before } = context
  if (before === undefined) return
  const versions = await store.versions(type, [before.id], tx)
  if (versions.some(({ locale }) => locale === before.locale)) throw takenLocale(type, before.locale)
  const ids = versions.slice(0, 1).map(({ id }) => id)
  const [base] = await storedEntries.lock({ type: type.name, principal, tx }, ids)
  if (base !== undefined) context.additions.inherited = differing(sharedValues(type, base), before)
}

function groupOf(type: ContentType, joined: Joined | undefined): string {
  if (joined?.versions[0] !== undefined) return joined.versions[0].group
  return type.kind === 'singleType' ? type.name : randomUUID()
}

/** All entries of a single type are versions of one entry. */
async function joinedSingle(
  { type, tx, principal }: WriteContext,
  { store, storedEntries }: JoinDeps,
): Promise<Joined | undefined> {
  if (type.kind !== 'singleType') return undefined
  await store.lock(type, [], tx)
  const versions = await store.versionsOfSingle(type, tx)
  const ids = versions.slice(0, 1).map(({ id }) => id)
  const [base] = await storedEntries.lock({ type: type.name, principal, tx }, ids)
  return base === undefined ? undefined : { versions, base }
}

/** The columns of this plugin are all reported as `locale`. */
function isAboutLocaleOnly(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') return false
  const { details = [] } = error
  return details.length > 0 && details.every(({ path }) => path === 'locale')
}

function takenLocale({ name }: ContentType, locale: unknown, cause?: unknown): AppError {
  const message = `this ${name} already has a version in ${locale}`
  const details = [{ path: 'locale', code: 'unique', message: 'is already taken' }]
  return new AppError('CONFLICT', message, { details, cause })
}
