import type { Database } from '../../database/database.ts'
import type { SearchEngine } from './engine.ts'
import { createMysqlEngine } from './mysql-engine.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { createSqliteEngine } from './sqlite-engine.ts'

const engines = {
  sqlite: createSqliteEngine,
  postgres: createPostgresEngine,
  mysql: createMysqlEngine,
} as const

export function createEngine(database: Database): SearchEngine {
  return engines[database.dialect.name](database)
}
