import { MortiseError } from '../../../../../../../client/client.ts'
import { NetworkError } from '../../../ground/api/send-form.ts'
import { formatBytes } from '../../../ground/i18n/bytes-text.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { fitsPatterns } from '../file-kind.ts'

/** What the service accepts; it checks every file anew, by its content. */
export interface UploadLimits {
  /** Bytes. */
  readonly maxFileSize: number
  /** Media types, `image/*` among them; empty for any. */
  readonly allowedTypes: readonly string[]
}

/** Why a file need not be sent at all; undefined if it may be. */
export function fileProblem(
  { size, type }: Pick<File, 'size' | 'type'>,
  { maxFileSize, allowedTypes }: UploadLimits,
): string | undefined {
  if (size > maxFileSize) return tooLarge(maxFileSize)
  if (size === 0) return t('media.upload.empty')
  // What the browser does not know, the service finds out itself; texts have other names on every system.
  if (type !== '' && !/^text\/(?!html$)|[/+]xml$/.test(type) && !fitsPatterns(type, allowedTypes))
    return t('media.upload.typeRefused', { type })
  return undefined
}

/** What went wrong on the way, in words. */
export function uploadProblem(error: unknown, { maxFileSize }: Pick<UploadLimits, 'maxFileSize'>): string {
  if (error instanceof NetworkError) return t('media.upload.noConnection')
  if (!(error instanceof MortiseError)) return errorText(error)
  if (error.status === 413) return tooLarge(maxFileSize)
  if (error.status === 403) return t('media.upload.forbidden')
  return error.details[0]?.message ?? error.message
}

const tooLarge = (maxFileSize: number) => t('media.upload.tooLarge', { limit: formatBytes(maxFileSize) })
