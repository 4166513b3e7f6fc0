import type { Readable } from 'node:stream'
import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { ExportRequest } from './exports/export-request.ts'
import type { Format } from './formats/format.ts'

/** Writes entries to files. */
export interface ExportService {
  /**
   * Returns the file, which is produced page by page as it is read: an entry that changes meanwhile is written as it is then.
   * @throws AppError as a list of the same query
   */
  open(request: ExportRequest & { readonly format: Format }): Promise<Readable>
}

export const exportService: ServiceToken<ExportService> = service('export')
