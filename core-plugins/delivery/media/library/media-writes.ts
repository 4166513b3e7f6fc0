import { stat } from 'node:fs/promises'
import type { PluginContext } from '../../../../kernel/index.ts'
import type { SystemEntries } from '../../../entries/content/content.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { FileStore } from '../files/file-store.ts'
import { type MediaRecord, type MediaWrites, mediaUploaded, type StoredFile } from '../media.ts'
import { readOriginalName } from '../upload/original-name.ts'
import type { PreparedFile } from '../upload/prepare-file.ts'
import { createDescriptionCheck } from './descriptions.ts'
import type { Folders } from './folders.ts'
import type { Library } from './library.ts'
import type { UpdateRecord } from './record-update.ts'
import type { UntouchedFiles } from './untouched-files.ts'

export interface MediaWritesDeps {
  readonly entries: SystemEntries
  readonly fileStore: FileStore
  readonly folders: Folders
  readonly library: Library
  readonly untouched: UntouchedFiles
  readonly update: UpdateRecord
  readonly emit: PluginContext['emit']
}

/** See `MediaWrites`. */
export function createMediaWrites(deps: MediaWritesDeps): MediaWrites {
  const { entries, fileStore, folders, library, untouched, update, emit } = deps
  const valuesOf = createDescriptionCheck(entries)
  /** The prepared files by the handles that callers get, which show only the keys. */
  const known = new WeakMap<StoredFile, PreparedFile>()

  function preparedOf(file: StoredFile): PreparedFile {
    const prepared = known.get(file)
    if (prepared === undefined) throw new Error('the file was not stored by this service')
    return prepared
  }

  return {
    async store({ path, originalName }) {
      const { size } = await stat(path)
      if (size === 0) throw AppError.invalid([{ path: 'file', code: 'empty', message: 'is an empty file' }])
      const received = { field: 'file', path, original: readOriginalName(originalName), size }
      const file = await library.store(received, new AbortController().signal)
      const stored = { keys: file.files.map(({ key }) => key) }
      known.set(stored, file)
      return stored
    },
    abandon: (files) => fileStore.abandon(files.flatMap(({ keys }) => keys)),
    async create(file, data, { uuid, principal, tx }) {
      await fileStore.confirm(file.keys, tx)
      const now = new Date().toISOString()
      const prepared = preparedOf(file)
      const made = (await entries.insert(prepared.values, { tx, now, uuid })) as MediaRecord
      if (prepared.untouched !== null) await untouched.note(made.id, prepared, tx)
      const values = await valuesOf(made, data, { principal, tx, now })
      const media = Object.keys(values).length === 0 ? made : await entries.update(made, values, { tx, now })
      tx.afterCommit(() => emit(mediaUploaded, { media: media as MediaRecord, principal }))
      return media as MediaRecord
    },
    async change(id, { file, data }, { principal, tx }) {
      const write = { principal, tx, now: new Date().toISOString() }
      const before = (await entries.open(id, { tx })) as MediaRecord
      const replaced =
        file === undefined ? before : await library.replaceStored(before, preparedOf(file), write)
      return update(replaced, await valuesOf(replaced, data, write), write)
    },
    async remove(ids, { principal, tx }) {
      await library.removeMany(ids, principal, tx)
    },
    createFolder: (data, write) => folders.create(data, write),
    changeFolder: (id, data, write) => folders.update({ id, ...write }, data),
    async removeFolder(id, { tx }) {
      await folders.remove({ id, tx })
    },
  }
}
