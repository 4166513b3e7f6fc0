import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseError } from '../../database.ts'

/** Where a database is, and what is to be done with it at the end. */
export interface SqliteFile {
  readonly path: string
  /** Nothing of it is kept. */
  readonly isTemporary: boolean
  remove(): void
}

/**
 * `:memory:` becomes a file in a temporary folder that goes when the process does, so that it behaves as any other:
 * two connections can share a file, but not what SQLite keeps in memory.
 */
export function placeSqliteFile(given: string): SqliteFile {
  if (given !== ':memory:') {
    makeDirectory(dirname(given))
    return { path: given, isTemporary: false, remove: () => undefined }
  }
  const directory = mkdtempSync(join(tmpdir(), 'mortise-memory-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', remove)
  return { path: join(directory, 'content.db'), isTemporary: true, remove }
}

function makeDirectory(directory: string) {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new DatabaseError('unavailable', `cannot make the folder ${directory}`, { cause: error })
  }
}
