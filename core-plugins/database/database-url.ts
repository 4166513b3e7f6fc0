import type { DialectName } from './database.ts'

/** Where the database is, by DATABASE_URL. */
export interface DatabaseAddress {
  readonly dialect: DialectName
  /** A file or `:memory:` for SQLite; for the others the URL as their drivers take it. */
  readonly target: string
}

const schemes: Readonly<Record<string, DialectName>> = {
  sqlite: 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

/** Takes DATABASE_URL apart; undefined if it is not of a form that decisions.md, 1, names. */
export function parseDatabaseUrl(url: string): DatabaseAddress | undefined {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(url) ?? []
  const dialect = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined
  if (dialect === undefined) return undefined
  if (dialect === 'sqlite') {
    const target = rest.replace(/^\/\/(?=.)/, '')
    return target === '' || target.includes('\0') ? undefined : { dialect, target }
  }
  return isServerUrl(url) ? { dialect, target: `${dialect}:${rest}` } : undefined
}

function isServerUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, pathname, searchParams } = new URL(url)
  const hasHost = hostname !== '' || searchParams.has('host')
  return hasHost && pathname.length > 1
}
