import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { Threads } from '../../../foundation/threads/threads.ts'
import { type Media, variantKey } from '../../media/media.ts'
import { type ImageOptions, spell } from '../address/image-options.ts'
import type { Admit } from './admission.ts'
import type { HeavyImages } from './heavy-images.ts'
import { ImageTooSlow, type MakeVariant } from './make-variant.ts'
import { assertFits, assertScalable, type SourceFiles } from './source-files.ts'

/** The time limit for making an image within a request. */
const seconds = 10

/** How long the failure of an image is remembered, since it would fail again. */
const failureMs = 10 * 60_000
const mostFailures = 5_000

/** Makes images that are not yet in the storage. */
export interface Variants {
  /**
   * Makes a variant; concurrent requests for the same variant wait for it. `heavy`: a job makes it later.
   * @throws AppError 400 for files of which no image can be made, 404, 503
   */
  ensure(file: string, options: ImageOptions): Promise<'made' | 'heavy'>
}

export interface VariantsDeps {
  readonly media: Pick<Media, 'storage'>
  readonly files: SourceFiles
  readonly lane: Pick<Threads, 'run'>
  readonly admit: Admit
  readonly heavy: HeavyImages
  readonly makeVariant: MakeVariant
  readonly onMade: (bytes: number) => void
}

export function createVariants(deps: VariantsDeps): Variants {
  const { media, files, lane, admit, heavy, makeVariant, onMade } = deps
  const flights = new Map<string, Promise<'made' | 'heavy'>>()
  const failures = new LRUCache<string, AppError>({ ...upTo(mostFailures), ttl: failureMs })

  async function make(name: string, options: ImageOptions): Promise<'made' | 'heavy'> {
    const file = await files.find(name)
    const size = assertScalable(file)
    assertFits(size, options)
    if (heavy.isHeavy(size, options)) {
      await heavy.request(name, options)
      return 'heavy'
    }
    await admit(async () => {
      // Another process may have made it in the meantime.
      if ((await media.storage.stat(variantKey(name, spell(options)))) !== undefined) return
      onMade(await makeVariant(file, options, { run: lane.run, seconds }))
    }).catch((error) => {
      if (isLasting(error)) failures.set(variantKey(name, spell(options)), error)
      throw error
    })
    return 'made'
  }

  return {
    async ensure(name, options) {
      const key = variantKey(name, spell(options))
      const failure = failures.get(key)
      if (failure !== undefined) throw failure
      const underWay = flights.get(key)
      if (underWay !== undefined) return underWay
      const flight = make(name, options).finally(() => flights.delete(key))
      flights.set(key, flight)
      return flight
    },
  }
}

const isLasting = (error: unknown): error is AppError =>
  error instanceof ImageTooSlow || (error instanceof AppError && error.status === 400)
