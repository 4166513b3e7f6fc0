import type { DialectDefinition } from '../dialect-definition.ts'
import type { DialectName } from '../dialect-name.ts'
import { mysql } from './mysql/mysql.ts'
import { postgres } from './postgres/postgres.ts'
import { sqlite } from './sqlite/sqlite.ts'

/** The supported databases, in the order in which messages name them. */
export const dialects: { readonly [Name in DialectName]: DialectDefinition<Name> } = {
  sqlite,
  postgres,
  mysql,
}
