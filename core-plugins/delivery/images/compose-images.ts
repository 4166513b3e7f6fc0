import { type Log, repeat } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import { defineSchedule } from '../../background/schedules/schedules.ts'
import type { StoredEntries } from '../../entries/content/content.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { Threads } from '../../foundation/threads/threads.ts'
import type { FileRemoval, Media, MediaRecord } from '../media/media.ts'
import { createImageAddresses, type ImageAddresses } from './address/image-addresses.ts'
import { createPresets } from './address/presets.ts'
import { imageUrlField } from './graphql-field.ts'
import type { Images } from './images.ts'
import { type AddressFor, createAddressRoute } from './routes/address-route.ts'
import { createImageRoute } from './routes/image-route.ts'
import { concurrency, maxBytes, maxWaiting, presets as presetsSetting } from './settings.ts'
import { createAdmission } from './variants/admission.ts'
import { createHeavyImages } from './variants/heavy-images.ts'
import { createMakeVariant } from './variants/make-variant.ts'
import { createRemovalJobs, tidyTimes } from './variants/removal-jobs.ts'
import { assertFits, assertScalable, createSourceFiles } from './variants/source-files.ts'
import { createUses } from './variants/uses.ts'
import { createVariantStore } from './variants/variant-store.ts'
import { createVariants } from './variants/variants.ts'

export interface ImagesServices {
  readonly auth: Auth
  readonly config: Config
  readonly database: Database
  readonly jobs: Jobs
  readonly media: Media
  readonly storedEntries: StoredEntries
  readonly threads: Threads
}

/** Longer than a page waits for its images. */
const waitMs = 20_000
const flushEveryMs = 60_000
/** The limit of stored bytes is checked each time this fraction of it has been added. */
const looks = 20

/** Assembles the parts of the plugin. */
export function composeImages(services: ImagesServices, log: Log) {
  const { auth, config, database, jobs, media, storedEntries, threads } = services
  const addresses = createImageAddresses(auth.keyFor('images'), currentPresets(config))
  const files = createSourceFiles(database)
  const store = createVariantStore(database)
  const makeVariant = createMakeVariant({ media, store })
  const heavy = createHeavyImages({ database, jobs, threads, files, makeVariant })
  const removals = createRemovalJobs({ config, media, store })
  const requestTidying = () =>
    database.transaction((tx) => jobs.enqueue(tx, removals.tidy, {}, { key: removals.tidy.name }))
  const admit = createAdmission({
    atOnce: config.get(concurrency),
    maxWaiting: config.get(maxWaiting),
    waitMs,
  })
  const onMade = createGrowthWatch(config, () => {
    requestTidying().catch((error) => log.warn({ err: error }, 'images could not be tidied up; trying later'))
  })
  // A lane of its own, since uploads also use threads and do not wait for images.
  const lane = threads.createLane(config.get(concurrency))
  const variants = createVariants({ media, files, lane, admit, heavy, makeVariant, onMade })
  const uses = createUses(store)
  const images: Images = { urlOf: (record, request) => urlOf(addresses, media, record, request) }
  const addressFor = createAddressFor(auth, addresses, images)
  const entries = storedEntries.systemEntries('media', [])

  return {
    images,
    jobKinds: [heavy.job, removals.ofFiles, removals.tidy] as unknown as readonly JobKind[],
    schedule: defineSchedule({
      name: removals.tidy.name,
      kind: removals.tidy,
      payload: {},
      cronExpression: tidyTimes,
    }),
    removal: removalOf(jobs, removals.ofFiles),
    routes: [
      createImageRoute({ addresses, files, media, uses, variants }),
      createAddressRoute({
        addressFor,
        find: async (id, principal) =>
          (await entries.find(id, '', principal))?.entry as MediaRecord | undefined,
      }),
    ],
    graphql: imageUrlField(addressFor),
    forget: files.forget,
    remember: () =>
      repeat(uses.flush, {
        everyMs: flushEveryMs,
        onError: (error) => log.warn({ err: error }, 'uses of images could not be noted'),
      }),
  }
}

function currentPresets(config: Config) {
  let presets = createPresets(config.get(presetsSetting))
  config.onChange(presetsSetting, (values) => {
    presets = createPresets(values)
  })
  return () => presets
}

function urlOf(
  ...[addresses, media, record, request]: [ImageAddresses, Media, ...Parameters<Images['urlOf']>]
) {
  const size = assertScalable(record)
  const options = addresses.optionsOf(record, request)
  assertFits(size, options)
  return `${media.urlOf(record.filename)}/${addresses.nameOf(record.filename, options)}`
}

/**
 * Only admin users and tokens that may read media get signed addresses. End users may register freely, and each signed address
 * lets the service make and store another image.
 */
function createAddressFor(auth: Auth, addresses: ImageAddresses, images: Images): AddressFor {
  return (principal, record, request) => {
    const isBuilder = principal.kind === 'admin' || principal.kind === 'token'
    if (!(isBuilder && auth.mayMedia(principal, 'read'))) {
      assertScalable(record)
      if (!addresses.isFree(addresses.optionsOf(record, request))) {
        throw AppError.forbidden(
          'this image needs a signature: ask for a width of the ladder, or for a preset',
        )
      }
    }
    return images.urlOf(record, request)
  }
}

/** Files that are not images have nothing to remove; the job finds that out. */
function removalOf(jobs: Jobs, job: JobKind<{ files: string[] }>): FileRemoval {
  return async (keys, tx) => {
    const files = keys.filter((key) => !key.includes('_'))
    if (files.length > 0) await jobs.enqueue(tx, job, { files })
  }
}

/** Calls back each time new images have used up a fraction of the limit. */
function createGrowthWatch(config: Config, onGrown: () => void): (bytes: number) => void {
  let grown = 0
  return (bytes) => {
    grown += bytes
    if (grown < config.get(maxBytes) / looks) return
    grown = 0
    onGrown()
  }
}
