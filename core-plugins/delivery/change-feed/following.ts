import type { Auth } from '../../accounts/auth/auth.ts'
import type { ContentQueries } from '../../entries/content/content.ts'
import { AppError, type ErrorDetail, type Principal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'

/** A type that the caller follows. */
export interface FollowedType {
  readonly type: ContentType
  readonly isLocalized: boolean
  /** Whether the caller may see unpublished entries. */
  readonly seesDrafts: boolean
}

/** What a caller follows, limited to what they may read. */
export interface Following {
  readonly principal: Principal
  /** By name, in alphabetical order. */
  readonly types: ReadonlyMap<string, FollowedType>
  /** For localised types, only entries in this locale. */
  readonly locale: string | undefined
  readonly withEntries: boolean
}

/** The parameters that feed and snapshot share. */
export interface FollowQuery {
  /** Names, separated by commas. */
  readonly types?: string
  readonly locale?: string
  readonly include?: 'entry'
}

export interface FollowParts {
  readonly auth: Auth
  readonly contentQueries: ContentQueries
  readonly schemas: Schemas
  /** Whether the media library is active. */
  readonly hasMedia: boolean
  /** The configured locales. */
  readonly locales: () => readonly string[]
}

export interface Follow {
  /** @throws AppError 400; 401 or 403 for types that the caller may not read, whether or not they exist */
  (principal: Principal, query: FollowQuery): Following
  /** Whether the caller may follow anything. */
  mayAny(principal: Principal): boolean
}

/** The system type whose entries can be followed. */
export const mediaType = 'media'

/** The maximum number of types per request and per response. */
export const maxTypes = 50

/** Determines what a caller may follow. */
export function createFollow({ auth, contentQueries, schemas, hasMedia, locales }: FollowParts): Follow {
  const names = [...schemas.types.keys(), ...(hasMedia ? [mediaType] : [])].sort()
  const localized = new Set(
    [...schemas.types.values()]
      .filter(
        ({ options, name }) => options.i18n.enabled && contentQueries.fieldNames(name).includes('locale'),
      )
      .map(({ name }) => name),
  )
  const mayRead = (principal: Principal, name: string) =>
    name === mediaType ? auth.mayMedia(principal, 'read') : auth.mayContent(principal, name, 'read')

  function followed(principal: Principal, name: string): readonly (readonly [string, FollowedType])[] {
    const type = schemas.allTypes.get(name)
    if (type === undefined) return []
    const seesDrafts = !type.system && auth.seesDrafts(principal, name)
    return [[name, { type, isLocalized: localized.has(name), seesDrafts }]]
  }

  function follow(principal: Principal, { types, locale, include }: FollowQuery): Following {
    const named = types === undefined ? undefined : namesIn(types)
    if (named?.some((name) => !mayRead(principal, name))) auth.refuse(principal)
    const wanted = named ?? names.filter((name) => mayRead(principal, name))
    if (wanted.length === 0 && named === undefined) auth.refuse(principal)
    const problems = [...typeProblems(named, names), ...localeProblems(locale, locales)]
    if (problems.length > 0) throw AppError.invalid(problems)
    const found = new Map(wanted.flatMap((name) => followed(principal, name)))
    return { principal, types: found, locale, withEntries: include === 'entry' }
  }

  return Object.assign(follow, {
    mayAny: (principal: Principal) => names.some((name) => mayRead(principal, name)),
  })
}

/** Without duplicates and in alphabetical order, so that equal requests have equal addresses. */
function namesIn(types: string): readonly string[] {
  return [...new Set(types.split(',').map((name) => name.trim()))].filter((name) => name !== '').sort()
}

function typeProblems(named: readonly string[] | undefined, known: readonly string[]): ErrorDetail[] {
  if (named === undefined) return []
  const path = 'types'
  if (named.length === 0) return [{ path, code: 'minItems', message: 'must name a type' }]
  if (named.length > maxTypes) {
    return [{ path, code: 'maxItems', message: `must not name more than ${maxTypes} types` }]
  }
  const unknown = named.filter((name) => !known.includes(name))
  return unknown.map((name) => ({ path, code: 'unknown', message: `there is no type ${name} to follow` }))
}

function localeProblems(locale: string | undefined, locales: () => readonly string[]): ErrorDetail[] {
  if (locale === undefined || locales().includes(locale)) return []
  return [{ path: 'locale', code: 'enum', message: `must be one of ${locales().join(', ')}` }]
}
