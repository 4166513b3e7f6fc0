import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseError } from '../../database-error.ts'

/** The location of a database, and how to remove it at the end. */
export interface SqliteFile {
  readonly path: string
  /** Whether the file is deleted at the end. */
  readonly isTemporary: boolean
  remove(): void
}

/**
 * `:memory:` becomes a file in a temporary folder that is deleted with the process, so that it behaves like
 * any other: two connections can share a file, but not an in-memory database.
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
    throw new DatabaseError('unavailable', `cannot create the folder ${directory}`, { cause: error })
  }
}
