import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  defineJob,
  type JobContext,
  type JobKind,
  type Jobs,
  UnretriableJobError,
} from '../../background/jobs/jobs.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Database, UniqueWaits } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { type Format, formats } from './formats/format.ts'
import { countRecords, readRecords } from './formats/read-records.ts'
import type { ImportReport, ImportRequest, ImportService } from './import-export.ts'
import type { ImportFiles } from './import-files.ts'
import { maxBatchRows } from './imports/batches.ts'
import { openType } from './imports/open-type.ts'
import { maxImportBytes } from './settings.ts'

export interface HttpImportDeps {
  readonly auth: Auth
  readonly config: Config
  readonly database: Database
  readonly files: ImportFiles
  readonly imports: ImportService
  readonly jobs: Jobs
  readonly schemas: Schemas
  readonly uniqueWaits: UniqueWaits
}

export interface ImportOptions {
  readonly match?: string
  readonly publish?: boolean
  readonly dryRun?: boolean
  readonly state?: 'keep' | 'ignore'
}

export interface TakenImport {
  readonly type: string
  readonly format: Format
  readonly options: ImportOptions
  readonly stream: Readable
  /** The length that the request declares; undefined if it declares none. */
  readonly length: number | undefined
  readonly principal: Principal
  readonly ip: string | undefined
  readonly signal: AbortSignal
}

/**
 * Imports of files that are sent over HTTP. Small files are imported within the request, in one transaction, so that they can be sent
 * again after a failure. Others become jobs, which continue where they were interrupted.
 */
export interface HttpImports {
  readonly kind: JobKind<ImportJob>
  /** @throws AppError 400, 401, 403, 404, 413 */
  take(request: TakenImport): Promise<{ readonly isLater: boolean; readonly answer: unknown }>
  /** Removes files left by processes that were killed during an upload or import. */
  removeLeftovers(): Promise<void>
}

/** The largest file that is imported within a request, in bytes: some thousand records. */
const maxBytesAtOnce = 2 * 1024 * 1024

const jobPayload = Type.Object({
  file: Type.String(),
  type: Type.String(),
  format: Type.Enum([...formats]),
  maker: Type.String(),
  options: Type.Object({
    match: Type.Optional(Type.String()),
    publish: Type.Optional(Type.Boolean()),
    dryRun: Type.Optional(Type.Boolean()),
    state: Type.Optional(Type.Enum(['keep', 'ignore'])),
  }),
})

type ImportJob = Static<typeof jobPayload>

/** The key under which the unfinished job of a file is found. */
const keyOf = (file: string) => `import:${file}`

export function createHttpImports(deps: HttpImportDeps): HttpImports {
  const { config, files, imports, jobs, schemas } = deps
  const kind = defineJob({
    name: 'imports.run',
    payload: jobPayload,
    timeoutMs: 24 * 60 * 60 * 1_000,
    run: (payload, context) => runJob(deps, payload, context),
    onGivenUp: ({ file }) => files.remove(file),
  })

  return {
    kind,
    async take(request) {
      const { type, format, options, stream, principal, ip, signal } = request
      const { match, publish = false } = options
      openType(deps, { name: type, principal, match, publish })
      const maxBytes = mayEnqueue(principal) ? config.get(maxImportBytes) : maxBytesAtOnce
      const tooLarge = mayEnqueue(principal) ? tooManyBytes(maxBytes) : tooLargeForUsers()
      if (request.length !== undefined && request.length > maxBytes) throw tooLarge
      const file = await files.receive(stream, { maxBytes, tooLarge, signal })
      let isKept = false
      try {
        const count = await countRecords(files.read(file), { format, type, schemas })
        const isSmall = ((await files.sizeOf(file)) ?? 0) <= maxBytesAtOnce
        // Thousands of records take seconds, whether or not they are stored.
        const isLong = count > maxBatchRows
        if (isLong && !mayEnqueue(principal)) throw tooLarge
        if (isSmall && (options.dryRun === true || !isLong)) {
          const records = readRecords(files.read(file), { format, type, schemas })
          const wanted = { ...requestOf(options), records, type, principal, ip }
          return { isLater: false, answer: await imports.importRecords(wanted) }
        }
        const id = await enqueue(deps, kind, file, request)
        isKept = true
        return { isLater: true, answer: { job: id } }
      } finally {
        if (!isKept) await files.remove(file)
      }
    },
    removeLeftovers: () =>
      files.removeLeftovers(async (file) => (await jobs.findUnfinished(keyOf(file))) !== undefined),
  }
}

/** A job acts with the rights of the caller, so the caller must be an account or a token that outlives the request. */
function mayEnqueue({ kind }: Principal): boolean {
  return kind === 'admin' || kind === 'token'
}

function tooManyBytes(maxBytes: number): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `the file is larger than ${maxBytes} bytes (${maxImportBytes.key})`,
  )
}

function tooLargeForUsers(): AppError {
  const most = `${maxBatchRows} records in ${maxBytesAtOnce / 1024 / 1024} MiB`
  const message = `more than ${most} are imported for admin users and API tokens only; send them in parts`
  return new AppError('PAYLOAD_TOO_LARGE', message)
}

function enqueue(
  { auth, database, jobs }: HttpImportDeps,
  kind: JobKind<ImportJob>,
  file: string,
  { type, format, options, principal }: TakenImport,
): Promise<number> {
  const maker = auth.makers.nameOf(principal)
  const payload = { file, type, format, maker, options }
  return database.transaction((tx) => jobs.enqueue(tx, kind, payload, { key: keyOf(file) }))
}

const requestOf = ({ match, publish, state, dryRun }: ImportOptions): Partial<ImportRequest> => ({
  ...{ match, publish, state, isTrial: dryRun },
})

/** Continues where an earlier attempt has ended. */
async function runJob(
  { imports, auth, schemas, files }: HttpImportDeps,
  { file, type, format, maker, options }: ImportJob,
  { job, signal, reportProgress }: JobContext,
): Promise<ImportReport> {
  const principal = async () => {
    await auth.freshen()
    const found = await auth.makers.find(maker)
    if (found === undefined)
      throw new UnretriableJobError('whoever has sent the file may not import any more')
    return found
  }
  const size = await files.sizeOf(file)
  if (size === undefined) throw new UnretriableJobError('the file is gone: send it again')
  const bytes = files.read(file)
  try {
    const report = await imports.importRecords({
      ...{ ...requestOf(options), type, signal, name: `job:${job.id}` },
      records: readRecords(bytes, { format, type, schemas }),
      principal: await principal(),
      renewPrincipal: principal,
      onProgress: () => reportProgress(Math.min(99, Math.floor((bytes.bytesRead / size) * 100))),
    })
    await files.remove(file)
    return report
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new UnretriableJobError(error.message, { cause: error })
  }
}
