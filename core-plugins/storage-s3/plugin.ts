import { definePlugin, StartupError } from '../../kernel/index.ts'
import { type Config, configService, settings } from '../config/config.ts'
import { type MediaStorage, mediaStorages } from '../media/media.ts'
import { bucket, readS3Options, s3Settings } from './settings.ts'

/** Keeps files in any store that speaks S3, where `storage.type` is `s3`. */
export const storageS3Plugin = definePlugin({
  name: 'storage-s3',
  description: 'Keeps the files of the media library in a bucket of an S3-compatible store',
  uses: { config: configService },

  register({ contribute }) {
    for (const setting of s3Settings) contribute(settings, setting)
  },

  init({ services: { config }, contribute }) {
    contribute(mediaStorages, { type: 's3', open: () => openStorage(config) })
  },
})

/** The SDK is large: whoever keeps files elsewhere does not load it. */
async function openStorage(config: Config): Promise<MediaStorage> {
  const options = readS3Options(config)
  if (options.bucket === '') {
    const remedy = 'name the bucket, or choose another storage.type'
    throw new StartupError('Files cannot be stored:', [
      { subject: config.envNameOf(bucket), message: 'is missing', remedy },
    ])
  }
  const { openS3Storage } = await import('./s3-storage.ts')
  return openS3Storage(options)
}
