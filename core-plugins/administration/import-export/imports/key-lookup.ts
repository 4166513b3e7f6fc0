import { sql } from 'drizzle-orm'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { ContentQueries, VisibleEntries } from '../../../entries/content/content.ts'
import type { ColumnKind, Database, Statement } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import { keyColumn, keyText, type NaturalKey } from './natural-key.ts'

/** The id of the visible entry with a key; undefined if there is none. */
export type FoundKey = number | 'ambiguous' | undefined

/** A key, and the locale to prefer if the key does not name one. */
export interface AskedKey {
  readonly key: NaturalKey
  readonly preferred?: string | undefined
}

/** Finds entries by natural keys. */
export interface KeyLookup {
  /** Takes one query for each type and attribute, regardless of the number of keys. */
  find(keys: readonly AskedKey[], principal: Principal): Promise<(asked: AskedKey) => FoundKey>
  /** The reverse: the keys, such as `{ cca2: 'CH' }`, of visible entries by id. */
  keysOf(
    type: ContentType,
    attribute: string,
    ids: readonly number[],
    principal: Principal,
  ): Promise<ReadonlyMap<number, Readonly<Record<string, unknown>>>>
}

export interface KeyLookupDeps {
  readonly auth: Auth
  readonly contentQueries: ContentQueries
  readonly database: Database
  readonly schemas: Schemas
  /** Undefined while localisation is switched off. */
  readonly defaultLocaleOf: ((type: ContentType) => string) | undefined
}

interface FoundRow {
  readonly id: number
  readonly value: unknown
  readonly locale?: string | null
}

const alias = 'e'

export function createKeyLookup(deps: KeyLookupDeps): KeyLookup {
  const { schemas, database, contentQueries, auth, defaultLocaleOf } = deps
  const { dialect } = database
  const statements = new Map<string, Statement<FoundRow>>()

  /** Undefined if the caller may not see any entry of the type. */
  function visibleOf(type: ContentType, principal: Principal): VisibleEntries | undefined {
    if (!type.system) return contentQueries.visible(type.name, principal)
    // Everybody may look up files, but only administrators may look up accounts, or editors could find out who has one.
    const isOpen = type.name.startsWith('media') || auth.isAdministrator(principal)
    return isOpen ? { key: type.name, values: {}, where: () => sql`1 = 1` } : undefined
  }

  /** Finds entries by the values of an attribute, or by ids. */
  async function rowsOf(
    type: ContentType,
    name: string,
    values: readonly unknown[],
    { principal, by }: { readonly principal: Principal; readonly by?: 'id' },
  ) {
    const visible = visibleOf(type, principal)
    const column = keyColumn(type, name)
    if (visible === undefined || column === undefined) return []
    const key = `${visible.key} ${type.name}.${name} ${by}`
    const statement = statements.get(key) ?? compile(type, column, visible, by)
    statements.set(key, statement)
    return database.all(statement, {
      ...visible.values,
      keys: dialect.list([...new Set(values)], by ?? column.kind),
    })
  }

  function compile(
    type: ContentType,
    column: KeyColumn,
    visible: VisibleEntries,
    by?: 'id',
  ): Statement<FoundRow> {
    const of = (each: string) => sql`${sql.identifier(alias)}.${sql.identifier(each)}`
    const hasLocale = type.options.i18n.enabled
    const selected = [
      sql`${of('id')} as ${sql.identifier('id')}`,
      sql`${dialect.select(of(column.name), column.kind)} as ${sql.identifier('value')}`,
      ...(hasLocale ? [sql`${of('locale')} as ${sql.identifier('locale')}`] : []),
    ]
    return database.prepare<FoundRow>(
      sql`select ${sql.join(selected, sql`, `)} from ${sql.identifier(type.table)} ${sql.identifier(alias)}
        where ${dialect.inList(of(by ?? column.name), 'keys', by ?? column.kind)} and ${visible.where(alias)}`,
      { id: 'id', value: column.kind, ...(hasLocale ? { locale: 'string' as const } : {}) },
    )
  }

  return {
    async keysOf(type, attribute, ids, principal) {
      const rows = await rowsOf(type, attribute, ids, { principal, by: 'id' })
      const found = rows.filter(({ value }) => value !== null)
      return new Map(
        found.map(({ id, value, locale }) => [id, { [attribute]: value, ...localeIn(attribute, locale) }]),
      )
    },
    async find(keys, principal) {
      const found = new Map<string, FoundRow[]>()
      for (const [type, attribute, values] of groupsOf(keys, schemas)) {
        for (const row of await rowsOf(type, attribute, values, { principal })) {
          const text = textOf(type.name, attribute, row.value)
          found.set(text, [...(found.get(text) ?? []), row])
        }
      }
      return ({ key, preferred }) => {
        const rows = found.get(textOf(key.type, key.attribute, key.value)) ?? []
        const type = schemas.allTypes.get(key.type)
        const fallback = type?.options.i18n.enabled === true ? defaultLocaleOf?.(type) : undefined
        return chosen(rows, key.locale, [preferred, fallback])
      }
    },
  }
}

/** Undefined for UUIDs, which identify a version without its locale. */
function localeIn(attribute: string, locale: string | null | undefined) {
  return attribute === 'uuid' || typeof locale !== 'string' ? {} : { locale }
}

interface KeyColumn {
  readonly name: string
  readonly kind: ColumnKind
}

const textOf = (type: string, attribute: string, value: unknown) =>
  keyText({ type, attribute, value: value as NaturalKey['value'], locale: undefined })

function groupsOf(keys: readonly AskedKey[], { allTypes }: Schemas): [ContentType, string, unknown[]][] {
  const groups = new Map<string, [ContentType, string, unknown[]]>()
  for (const { key } of keys) {
    const type = allTypes.get(key.type)
    if (type === undefined) continue
    const name = `${key.type}.${key.attribute}`
    const group = groups.get(name) ?? [type, key.attribute, []]
    groups.set(name, group)
    group[2].push(key.value)
  }
  return [...groups.values()]
}

/** Chooses among the versions of an entry: the one in the requested locale, or else in the preferred one. */
function chosen(
  rows: readonly FoundRow[],
  locale: string | undefined,
  preferred: readonly (string | undefined)[],
): FoundKey {
  if (locale !== undefined) return onlyOne(rows.filter((row) => row.locale === locale))
  if (rows.length < 2) return rows[0]?.id
  const liked = preferred.map((each) => rows.filter((row) => each !== undefined && row.locale === each))
  return onlyOne(liked.find((those) => those.length > 0) ?? rows)
}

/** Several entries may have the same value of a unique attribute until its index has been created. */
function onlyOne(rows: readonly FoundRow[]): FoundKey {
  return rows.length < 2 ? rows[0]?.id : 'ambiguous'
}
