import type { FileRemoval, Media } from '../../../../delivery/media/media.ts'
import type { Database, Queries, Transaction } from '../../../../foundation/database/database.ts'
import { digestOfStream } from '../../package/received-folder.ts'
import { fileHashesTable } from '../../tables.ts'

/**
 * The SHA-256 of files of the storage. A file never changes under its key, so each file is read once, and its hash is kept in the
 * database.
 */
export interface FileHashes {
  /** The known hashes by key. */
  known(files: readonly string[], on?: Queries): Promise<ReadonlyMap<string, string>>
  /** Reads a file to compute its hash. Null if the storage does not have the file. */
  read(file: string): Promise<string | null>
  /** Records the hash of a file that was checked. */
  note(file: string, hash: string, tx: Transaction): Promise<void>
  /** Forgets files with their records. */
  readonly forget: FileRemoval
}

export function createFileHashes(database: Database, media: Media): FileHashes {
  const rows = fileHashesTable.on(database)
  const { file } = fileHashesTable.columns
  const find = rows.find((_, inList) => inList(file, 'files'))
  const insert = rows.insert()
  const remove = rows.delete((_, inList) => inList(file, 'files'))

  async function note(key: string, hash: string, tx: Transaction): Promise<void> {
    // Another process may have read it as well.
    await remove.run({ files: [key] }, tx)
    await insert.run({ file: key, hash }, tx)
  }

  return {
    note,
    async known(files, on) {
      const found = files.length === 0 ? [] : await find.all({ files }, on)
      return new Map(found.map((row) => [row.file, row.hash]))
    },
    async read(key) {
      const source = await media.storage.read(key)
      if (source === undefined) return null
      const hash = await digestOfStream(source)
      await database.transaction((tx) => note(key, hash, tx))
      return hash
    },
    async forget(keys, tx) {
      if (keys.length > 0) await remove.run({ files: keys }, tx)
    },
  }
}
