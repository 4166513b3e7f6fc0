import type { DialectDefinition } from '../dialect-definition.ts'
import type { DialectName } from '../dialect-name.ts'
import { dialects } from '../dialects/dialects.ts'

/** The location of the database, from DATABASE_URL. */
export interface DatabaseAddress {
  readonly dialect: DialectName
  /** In the form that the driver takes. */
  readonly target: string
}

const byScheme: ReadonlyMap<string, DialectDefinition> = new Map(
  Object.values(dialects).flatMap((dialect) => dialect.schemes.map((scheme) => [scheme, dialect])),
)

/** Parses DATABASE_URL; returns undefined if no dialect knows its format. */
export function parseDatabaseUrl(url: string): DatabaseAddress | undefined {
  const [, scheme = '', address = ''] = /^([a-z]+):(.*)$/is.exec(url) ?? []
  const dialect = byScheme.get(scheme)
  const target = dialect?.targetOf(address)
  return dialect === undefined || target === undefined ? undefined : { dialect: dialect.name, target }
}
