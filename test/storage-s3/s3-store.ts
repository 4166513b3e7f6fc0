import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** An upload in parts that was begun. */
export interface UnfinishedUpload {
  readonly key: string
  readonly uploadId: string
  readonly initiated: Date
}

/** A store that speaks S3, in this process, behind a port of its own. */
export interface S3Store {
  readonly url: string
  /** What a service needs to keep its files in a bucket of the store. */
  env(bucket: string): Record<string, string>
  /** Keys of a bucket that begin with the prefix, which is that of a folder; not those of trials by the service. */
  keys(bucket: string, prefix: string): string[]
  /** Uploads that were neither completed nor taken back. */
  unfinishedUploads(bucket: string): string[]
  /** The same, with their keys. */
  uploads(bucket: string): UnfinishedUpload[]
  /** Makes an upload older than it is. */
  age(bucket: string, uploadId: string, ms: number): void
  abort(bucket: string, uploadId: string): void
  /** Puts a copy of one object in the place of another. */
  overwrite(bucket: string, key: string, by: string): void
  remove(bucket: string, key: string): void
  close(): Promise<void>
}

export async function startS3Store(...buckets: readonly string[]): Promise<S3Store> {
  const directory = mkdtempSync(join(tmpdir(), 'mortise-s3-'))
  const configureBuckets = buckets.map((name) => ({ name }))
  const store = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const url = `http://127.0.0.1:${(await store.run()).port}`
  // The store removes a folder along with what was last in it.
  const namesIn = (folder: string) =>
    existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : []
  const suffix = '._S3rver_object'
  const uploadsOf = (bucket: string) => join(directory, bucket, '._S3rver_uploads')
  const fileOf = (bucket: string, key: string) => join(directory, bucket, `${key}${suffix}`)
  return {
    url,
    env: (bucket) => ({
      STORAGE_S3_BUCKET: bucket,
      STORAGE_S3_ENDPOINT: url,
      STORAGE_S3_FORCE_PATH_STYLE: 'true',
      STORAGE_S3_ACCESS_KEY_ID: 'S3RVER',
      STORAGE_S3_SECRET_ACCESS_KEY: 'S3RVER',
    }),
    keys: (bucket, prefix) =>
      namesIn(join(directory, bucket, prefix))
        .filter((name) => name.endsWith(suffix) && !name.startsWith('trial-'))
        .map((name) => name.slice(0, -suffix.length)),
    uploads: (bucket) =>
      (existsSync(uploadsOf(bucket)) ? readdirSync(uploadsOf(bucket)) : []).map((uploadId) => {
        const path = join(uploadsOf(bucket), uploadId, 'key')
        return { uploadId, key: readFileSync(path, 'utf8'), initiated: statSync(path).mtime }
      }),
    age(bucket, uploadId, ms) {
      const then = new Date(Date.now() - ms)
      utimesSync(join(uploadsOf(bucket), uploadId, 'key'), then, then)
    },
    abort: (bucket, uploadId) => rmSync(join(uploadsOf(bucket), uploadId), { recursive: true }),
    unfinishedUploads: (bucket) => namesIn(uploadsOf(bucket)),
    overwrite: (bucket, key, by) => copyFileSync(fileOf(bucket, by), fileOf(bucket, key)),
    remove: (bucket, key) => rmSync(fileOf(bucket, key)),
    async close() {
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}
