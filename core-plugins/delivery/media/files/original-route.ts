import { AppError, defineRoute, idParams, Reply, type Route } from '../../../foundation/http/http.ts'
import type { Library } from '../library/library.ts'
import type { UntouchedFiles } from '../library/untouched-files.ts'
import type { MediaRecord } from '../media.ts'
import type { MediaStorage } from '../storage.ts'
import { attachmentNamed } from './attachment.ts'

export interface OriginalRouteDeps {
  readonly library: Library
  readonly untouched: UntouchedFiles
  readonly storage: () => MediaStorage
}

/** Serves files as they were uploaded to users who may replace them. */
export const createOriginalRoute = ({ library, untouched, storage }: OriginalRouteDeps): Route =>
  defineRoute({
    access: 'permission',
    scope: 'media:write',
    policies: ['media.read', 'media.write'],
    name: 'media:files.original',
    method: 'GET',
    path: '/media/:id/original',
    summary: 'Download a file as it was uploaded',
    description: 'With where and with what a photo was taken, which the public file does not say.',
    params: idParams,
    rawResponse: '*/*',
    async handler({ params, principal }) {
      const media = (await library.find(params.id, principal)).entry as MediaRecord
      const stream = await storage().read((await untouched.find(media.id)) ?? media.filename)
      if (stream === undefined) throw AppError.notFound('file')
      const body = { kind: 'stream', stream, mediaType: media.mimeType, size: media.size } as const
      return new Reply(200, body, {
        'cache-control': 'private, no-store',
        'content-disposition': attachmentNamed(media.originalName),
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
    },
  })
