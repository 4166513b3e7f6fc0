import type { Database, DialectName } from '../../../foundation/database/database.ts'
import type { SearchEngine } from './engine.ts'
import { createMysqlEngine } from './mysql-engine.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { createSqliteEngine } from './sqlite-engine.ts'

const engines: Readonly<Record<DialectName, (database: Database) => SearchEngine>> = {
  sqlite: createSqliteEngine,
  postgres: createPostgresEngine,
  mysql: createMysqlEngine,
}

/** The engine for the type of database. */
export function createEngine(database: Database): SearchEngine {
  return engines[database.dialect.name](database)
}
