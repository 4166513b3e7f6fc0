import { stat } from 'node:fs/promises'
import { AppError } from '../../http/http.ts'
import type { Library } from '../library/library.ts'
import type { MediaImport, MediaRecord } from '../media.ts'
import { readOriginalName } from './original-name.ts'

/** See `Media.add`. */
export async function importFile(file: MediaImport, library: Library): Promise<MediaRecord> {
  const { path, originalName, folder, principal } = file
  const { size } = await stat(path)
  if (size === 0) throw AppError.invalid([{ path: 'file', code: 'empty', message: 'is an empty file' }])
  const received = { field: 'file', path, original: readOriginalName(originalName), size }
  const caller = { principal, signal: new AbortController().signal }
  const [media] = await library.add([received], { folder }, caller)
  if (media === undefined) throw new Error(`${originalName} was not stored`)
  return media
}
