import { stat } from 'node:fs/promises'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { Library } from '../library/library.ts'
import type { MediaImport, MediaRecord } from '../media.ts'
import { readOriginalName } from './original-name.ts'

/** See `Media.add`. */
export async function importFile(file: MediaImport, library: Library): Promise<MediaRecord> {
  const { path, originalName, folder, uuid, principal, alt = null, caption = null } = file
  const { size } = await stat(path)
  if (size === 0) throw AppError.invalid([{ path: 'file', code: 'empty', message: 'is an empty file' }])
  const received = { field: 'file', path, original: readOriginalName(originalName), size }
  const alongside = async ([added]: readonly MediaRecord[], tx: Transaction) => {
    if (added !== undefined) await file.alongside?.(added, tx)
  }
  const caller = { principal, signal: new AbortController().signal, uuid, alongside }
  const [media] = await library.add([received], { folder, alt, caption }, caller)
  if (media === undefined) throw new Error(`${originalName} was not stored`)
  return media
}
