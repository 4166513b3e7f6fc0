import { MortiseError } from '../../../../../../../client/client.ts'
import { NetworkError } from '../../../ground/api/send-form.ts'
import { formatBytes } from '../../../ground/i18n/bytes-text.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { fitsPatterns } from '../file-kind.ts'

/** The service's limits for uploads; it also checks the content of every file itself. */
export interface UploadLimits {
  /** Bytes. */
  readonly maxFileSize: number
  /** Media types, `image/*` among them; empty for any. */
  readonly allowedTypes: readonly string[]
}

/** Why a file would be refused, checked before sending; undefined if it may be sent. */
export function fileProblem(
  { size, type }: Pick<File, 'size' | 'type'>,
  { maxFileSize, allowedTypes }: UploadLimits,
): string | undefined {
  if (size > maxFileSize) return tooLarge(maxFileSize)
  if (size === 0) return t('media.upload.empty')
  // The service detects types that the browser does not know; media types of text formats differ between systems.
  if (type !== '' && !/^text\/(?!html$)|[/+]xml$/.test(type) && !fitsPatterns(type, allowedTypes))
    return t('media.upload.typeRefused', { type })
  return undefined
}

/** The message for a failed upload. */
export function uploadProblem(error: unknown, { maxFileSize }: Pick<UploadLimits, 'maxFileSize'>): string {
  if (error instanceof NetworkError) return t('media.upload.noConnection')
  if (!(error instanceof MortiseError)) return errorText(error)
  if (error.status === 413) return tooLarge(maxFileSize)
  if (error.status === 403) return t('media.upload.forbidden')
  return error.details[0]?.message ?? error.message
}

const tooLarge = (maxFileSize: number) => t('media.upload.tooLarge', { limit: formatBytes(maxFileSize) })
