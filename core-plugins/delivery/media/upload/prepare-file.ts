import type { Log } from '../../../../kernel/index.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { AppError, asAppError } from '../../../foundation/http/http.ts'
import { defineTask, type Threads, ThreadTaskError } from '../../../foundation/threads/threads.ts'
import type { Addresses } from '../files/addresses.ts'
import { type NewFile, randomKey } from '../files/file-store.ts'
import type { Spool } from '../files/spool.ts'
import { examineTask } from '../identify/examine.ts'
import type { Examined } from '../identify/examine-task.ts'
import { isAllowed, svgType } from '../identify/file-types.ts'
import type { ScaledImage } from '../identify/thumbnails-task.ts'
import { dispositionOf, thumbnailDescription, untouchedKey } from '../library/keys.ts'
import type { EmbeddedWords } from '../private-data/words.ts'
import { allowedTypes, removePrivateData, widthsOf } from '../settings.ts'
import type { ReceivedFile } from './receive-form.ts'

const thumbnailsTask = defineTask<typeof import('../identify/thumbnails-task.ts').default>(
  new URL('../identify/thumbnails-task.ts', import.meta.url),
)

/** A checked file with its thumbnails, not yet in the storage. */
export interface PreparedFile {
  /** For the storage: the file, its thumbnails, then the file as it was uploaded if that differs. */
  readonly files: readonly NewFile[]
  /** The key of the file as it was uploaded; null if the public file is the uploaded one. */
  readonly untouched: string | null
  /** Texts embedded in an image, for records without texts of their own. */
  readonly words: EmbeddedWords
  /** Values of the record, by field. */
  readonly values: Readonly<Record<string, unknown>>
}

export interface PrepareDeps {
  readonly addresses: Addresses
  readonly config: Config
  readonly log: Log
  readonly spool: Spool
  readonly threads: Threads
}

const thumbnailTimeoutMs = 60_000
/** Depends on the size, since text files are read completely, possibly from a slow disk. */
const examineTimeoutMs = (size: number) => 60_000 + Math.ceil(size / slowestBytesPerMs)
const slowestBytesPerMs = 5_000

const unscaled: ScaledImage = { width: null, height: null, thumbnails: [], placeholder: null }

/**
 * Identifies a file and makes its thumbnails. Aborting `signal` ends that; the caller removes the files in the spool.
 * @throws AppError 415 if the file is not accepted, 503 under too much load
 */
export async function prepareFile(
  file: ReceivedFile,
  deps: PrepareDeps,
  {
    signal,
    remember,
  }: { readonly signal: AbortSignal; readonly remember: (paths: readonly string[]) => void },
): Promise<PreparedFile> {
  const untouched = deps.spool.newPath()
  remember([untouched])
  const { mediaType, extension, hasChanged, words } = await examine(file, untouched, deps, signal)
  if (!isAllowed(mediaType, deps.config.get(allowedTypes))) {
    throw refused(file, `${mediaType} is not among the accepted types (media.allowedTypes)`)
  }
  const widths = widthsOf(deps.config)
  const paths = Object.fromEntries(Object.keys(widths).map((name) => [name, deps.spool.newPath()]))
  remember(Object.values(paths))
  const image = { path: file.path, isVector: mediaType === svgType, widths, paths }
  const scaled = mediaType.startsWith('image/') ? await scale(image, deps, signal) : unscaled
  const untouchedPath = hasChanged ? untouched : undefined
  return describe(file, { mediaType, extension, scaled, untouchedPath, words }, deps.addresses)
}

/** Refuses files that cannot be examined, since they must not become public unchecked. @throws AppError 415, 503, 507 */
async function examine(
  file: ReceivedFile,
  untouched: string,
  { threads, config }: PrepareDeps,
  signal: AbortSignal,
): Promise<Exclude<Examined, { readonly refusal: string }>> {
  const { path, original, size } = file
  const payload = {
    ...{ path, extension: original.extension, untouched },
    removesPrivateData: config.get(removePrivateData),
  }
  const examined = await threads
    .run(examineTask, payload, { signal, timeoutMs: examineTimeoutMs(size) })
    .catch((error) => {
      if (!(error instanceof ThreadTaskError) || asAppError(error).code === 'STORAGE_FULL') throw error
      if (error.reason === 'timed out') throw tooSlow(file, error)
      return { refusal: 'its content cannot be made out' }
    })
  if ('refusal' in examined) throw refused(file, examined.refusal)
  return examined
}

/** An image that crashes its thread is treated as broken. */
async function scale(
  image: Parameters<typeof import('../identify/thumbnails-task.ts').default>[0],
  { threads, log }: PrepareDeps,
  signal: AbortSignal,
): Promise<ScaledImage> {
  try {
    return await threads.run(thumbnailsTask, image, { signal, timeoutMs: thumbnailTimeoutMs })
  } catch (error) {
    if (!(error instanceof ThreadTaskError) || asAppError(error).code === 'STORAGE_FULL') throw error
    log.warn({ err: error }, 'an image is stored without thumbnails, as they could not be made')
    return unscaled
  }
}

interface Findings {
  readonly mediaType: string
  readonly extension: string
  readonly scaled: ScaledImage
  readonly untouchedPath: string | undefined
  readonly words: EmbeddedWords
}

function describe(
  file: ReceivedFile,
  { mediaType, extension, scaled, untouchedPath, words }: Findings,
  { urlOf }: Addresses,
): PreparedFile {
  const base = randomKey()
  const key = `${base}.${extension}`
  const thumbnails = scaled.thumbnails.map((thumbnail) => ({
    ...thumbnail,
    key: `${base}_${thumbnail.name}.webp`,
  }))
  const untouched =
    untouchedPath === undefined
      ? undefined
      : { key: untouchedKey(base, randomKey(), extension), path: untouchedPath }
  const formats = thumbnails.map(({ name, key: thumbnailKey, width }) => [
    name,
    { url: urlOf(thumbnailKey), width },
  ])
  return {
    files: [
      { key, path: file.path, mediaType, size: file.size, disposition: dispositionOf(mediaType) },
      ...thumbnails.map(({ key: thumbnailKey, path, size }) => ({
        ...{ key: thumbnailKey, path, size },
        ...thumbnailDescription,
      })),
      ...(untouched === undefined
        ? []
        : [{ ...untouched, mediaType, size: file.size, disposition: 'attachment' as const }]),
    ],
    untouched: untouched?.key ?? null,
    words,
    values: {
      filename: key,
      originalName: file.original.name,
      mimeType: mediaType,
      size: file.size,
      url: urlOf(key),
      width: scaled.width,
      height: scaled.height,
      formats: Object.fromEntries(formats),
      placeholder: scaled.placeholder,
    },
  }
}

/** Does not blame the file: the service or its disk is overloaded. */
function tooSlow({ original }: ReceivedFile, cause: Error): AppError {
  return new AppError('UNAVAILABLE', `${original.name} could not be looked at in time; try again later`, {
    reason: 'file_too_slow',
    headers: { 'retry-after': '60' },
    cause,
  })
}

function refused({ field, original }: ReceivedFile, message: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `${original.name}: ${message}`, {
    details: [{ path: field, code: 'mediaType', message }],
  })
}
