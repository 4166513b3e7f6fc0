import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { upTo } from '../../../../kernel/index.ts'
import { defineJob, type JobKind, type Jobs, UnretriableJobError } from '../../../background/jobs/jobs.ts'
import type { Database } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { Threads } from '../../../foundation/threads/threads.ts'
import type { Size } from '../../pictures/pictures.ts'
import { type ImageOptions, spell } from '../address/image-options.ts'
import { parseVariant } from '../address/parse-variant.ts'
import { planSize } from './geometry.ts'
import { ImageTooSlow, type MakeVariant } from './make-variant.ts'
import { assertScalable, type SourceFiles } from './source-files.ts'

/** AVIFs with more pixels take too long for a request. */
const heavyPixels = 4_000_000
const seconds = 300

/** If an image is requested again within this time, its job has failed or is still running. */
const askedAgainMs = 60 * 60_000
/** The maximum number of jobs that a process enqueues within that time. */
const mostJobs = 100

/** Images that are made in a job because a request would take too long. */
export interface HeavyImages {
  isHeavy(source: Size, options: ImageOptions): boolean
  /** Enqueues the image without a guarantee, since other work may be more urgent. */
  request(file: string, options: ImageOptions): Promise<void>
  readonly job: JobKind<{ file: string; ops: string }>
}

export interface HeavyImagesDeps {
  readonly database: Database
  readonly jobs: Jobs
  readonly threads: Threads
  readonly files: SourceFiles
  readonly makeVariant: MakeVariant
}

export function createHeavyImages(deps: HeavyImagesDeps): HeavyImages {
  const { database, jobs, threads, files, makeVariant } = deps
  const asked = new LRUCache<string, true>({ ...upTo(mostJobs * 2), ttl: askedAgainMs })

  async function make(file: string, ops: string): Promise<{ bytes: number }> {
    const parsed = parseVariant(ops)
    if (parsed.kind !== 'options') throw new UnretriableJobError(`${ops} is no image`)
    const source = await files.find(file)
    assertScalable(source)
    return { bytes: await makeVariant(source, parsed.options, { run: threads.runLong, seconds }) }
  }

  const job = defineJob({
    name: 'images.make-heavy',
    payload: Type.Object({ file: Type.String(), ops: Type.String() }),
    maxAttempts: 3,
    async run({ file, ops }) {
      try {
        return await make(file, ops)
      } catch (error) {
        // The file is gone or the image cannot be made, neither of which concerns operators.
        if (error instanceof ImageTooSlow || (error instanceof AppError && error.status < 500))
          return { bytes: 0 }
        throw error
      }
    },
  })

  return {
    isHeavy(source, options) {
      const { width, height } = planSize(source, options).result
      return options.format === 'avif' && width * height > heavyPixels
    },
    async request(file, options) {
      const ops = spell(options)
      const id = `${file}/${ops}`
      asked.purgeStale()
      if (asked.has(id) || asked.size >= mostJobs) return
      asked.set(id, true)
      // One at a time across all processes, since these images are not urgent and use a whole core.
      const placing = { key: `images.make-heavy:${id}`, mailbox: 'images.make-heavy' }
      await database.transaction((tx) => jobs.enqueue(tx, job, { file, ops }, placing))
    },
    job,
  }
}
