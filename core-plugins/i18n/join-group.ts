import { randomUUID } from 'node:crypto'
import type { Content, Entry, WriteContext, WriteStage } from '../content/content.ts'
import { AppError } from '../http/http.ts'
import type { ContentType } from '../schemas/schemas.ts'
import {
  groupColumn,
  isLocalized,
  localeColumn,
  statusAtColumn,
  statusColumn,
  uniqueLocaleColumn,
} from './columns.ts'
import type { GroupStore, Version } from './group-store.ts'
import type { Locales } from './locales.ts'
import { differing, sharedValues } from './shared-attributes.ts'

/** What a new entry is going to be another version of. */
export interface Joined {
  readonly versions: readonly Version[]
  /** One of the versions, as it is stored. */
  readonly base: Entry
}

/** By payload: those of new versions. */
export type Joinings = WeakMap<object, Joined>

export interface JoinScope {
  readonly locales: Locales
  readonly store: GroupStore
  readonly content: Content
  readonly joinings: Joinings
}

/** Before all others, which may replace the payload. */
const outermost = -2000

/** Gives new entries their locale and group, and sees to it that an entry has one version in a locale. */
export function joinGroup(scope: JoinScope): WriteStage {
  return {
    name: 'i18n: locale and group',
    order: outermost,
    matches: ({ type, operation }) =>
      isLocalized(type) && ['create', 'delete', 'restore'].includes(operation),
    async run(context, next) {
      const { type, operation, before } = context
      // The versions of a single type are one group, which has each locale once.
      context.isSingleClaimed = false
      if (operation === 'create') await prepare(context, scope)
      if (operation === 'restore') await comeBack(context, scope)
      if (operation !== 'create' && type.options.softDelete) {
        const claimed = operation === 'restore' ? before?.locale : null
        context.columns = { ...context.columns, [uniqueLocaleColumn(type)]: claimed }
      }
      const locale = context.columns[localeColumn] ?? before?.locale
      try {
        return await next()
      } catch (error) {
        throw isAboutLocaleOnly(error) ? takenLocale(type, locale, error) : error
      }
    },
  }
}

async function prepare(context: WriteContext, scope: JoinScope): Promise<void> {
  const { type, data, now, problems } = context
  const joined = scope.joinings.get(data) ?? (await joinedSingle(context, scope))
  if (joined !== undefined) context.inherited = sharedValues(type, joined.base)
  const locale = data.locale ?? (scope.joinings.has(data) ? undefined : scope.locales.defaultOf(type))
  const problem = locale === undefined ? missingLocale : scope.locales.problemOf(type, locale)
  if (problem !== undefined) {
    problems.push(problem)
    return
  }
  if (joined?.versions.some((version) => version.locale === locale)) throw takenLocale(type, locale)
  context.columns = {
    ...context.columns,
    [uniqueLocaleColumn(type)]: locale,
    [localeColumn]: locale,
    [groupColumn]: groupOf(type, joined),
    ...(joined === undefined ? {} : { [statusColumn]: 'draft', [statusAtColumn]: now }),
  }
}

const missingLocale = { path: 'locale', code: 'required', message: 'is required' }

/** What a version that comes back shares with the others may have changed meanwhile. @throws AppError 409 */
async function comeBack(context: WriteContext, { store, content }: JoinScope): Promise<void> {
  const { type, tx, principal, before } = context
  if (before === undefined) return
  const versions = await store.versions(type, [before.id], tx)
  if (versions.some(({ locale }) => locale === before.locale)) throw takenLocale(type, before.locale)
  const ids = versions.slice(0, 1).map(({ id }) => id)
  const [base] = await content.lock({ type: type.name, principal, tx }, ids)
  if (base !== undefined) context.inherited = differing(sharedValues(type, base), before)
}

function groupOf(type: ContentType, joined: Joined | undefined): string {
  if (joined?.versions[0] !== undefined) return joined.versions[0].group
  return type.kind === 'singleType' ? type.name : randomUUID()
}

/** All entries of a single type are versions of one. */
async function joinedSingle(
  { type, tx, principal }: WriteContext,
  { store, content }: JoinScope,
): Promise<Joined | undefined> {
  if (type.kind !== 'singleType') return undefined
  await store.lock(type, [], tx)
  const versions = await store.versionsOfSingle(type, tx)
  const ids = versions.slice(0, 1).map(({ id }) => id)
  const [base] = await content.lock({ type: type.name, principal, tx }, ids)
  return base === undefined ? undefined : { versions, base }
}

/** Columns of ours are all known as `locale`. */
function isAboutLocaleOnly(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') return false
  const { details = [] } = error
  return details.length > 0 && details.every(({ path }) => path === 'locale')
}

function takenLocale({ name }: ContentType, locale: unknown, cause?: unknown): AppError {
  const message = `this ${name} has a version in ${locale} already`
  const details = [{ path: 'locale', code: 'unique', message: 'is taken already' }]
  return new AppError('CONFLICT', message, { details, cause })
}
