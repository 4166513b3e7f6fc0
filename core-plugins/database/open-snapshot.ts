import type { Snapshot, SnapshotSource } from './database.ts'

/** See `openSnapshot`. */
export async function openSnapshotOf(source: SnapshotSource): Promise<Snapshot> {
  switch (source.dialect) {
    case 'postgres':
      return (await import('./dialects/postgres/postgres-snapshot.ts')).openPostgresSnapshot(source)
    case 'mysql':
      return (await import('./dialects/mysql/mysql-snapshot.ts')).openMysqlSnapshot(source)
    case 'sqlite':
      return (await import('./dialects/sqlite/sqlite-snapshot.ts')).openSqliteSnapshot(source)
  }
}
