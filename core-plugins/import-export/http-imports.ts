import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import type { Auth } from '../auth/auth.ts'
import { type Config, dataDir } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { AppError, type Principal } from '../http/http.ts'
import { defineJob, type JobContext, type JobKind, type Jobs, UnretriableJobError } from '../jobs/jobs.ts'
import type { Schemas } from '../schemas/schemas.ts'
import { type Format, formats } from './formats/format.ts'
import { readRecords } from './formats/read-records.ts'
import type { ImportReport, ImportRequest, ImportService } from './import-export.ts'
import { openType } from './imports/open-type.ts'
import { maxImportBytes } from './settings.ts'

export interface HttpImportDeps {
  readonly auth: Auth
  readonly config: Config
  readonly database: Database
  readonly imports: ImportService
  readonly jobs: Jobs
  readonly schemas: Schemas
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
  readonly principal: Principal
  readonly ip: string | undefined
  readonly signal: AbortSignal
}

/** Imports of files that come over HTTP: small ones at once, others as jobs. */
export interface HttpImports {
  readonly kind: JobKind<ImportJob>
  /** @throws AppError 400, 401, 403, 404, 413 */
  take(request: TakenImport): Promise<{ readonly isLater: boolean; readonly answer: unknown }>
}

/** What is imported within a request, in bytes: some thousand records. */
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

export function createHttpImports(deps: HttpImportDeps): HttpImports {
  const { auth, config, database, imports, jobs, schemas } = deps
  const folder = join(config.get(dataDir), 'imports')
  const pathOf = (file: string) => join(folder, file)

  const kind = defineJob({
    name: 'imports.run',
    payload: jobPayload,
    timeoutMs: 24 * 60 * 60 * 1_000,
    run: (payload, context) => runJob({ ...deps, path: pathOf(payload.file) }, payload, context),
    onGivenUp: ({ file }) => rm(pathOf(file), { force: true }),
  })

  return {
    kind,
    async take({ type, format, options, stream, principal, ip, signal }) {
      const { match, publish = false } = options
      openType(auth, schemas, { name: type, principal, match, publish })
      await mkdir(folder, { recursive: true })
      const file = randomUUID()
      let isKept = false
      try {
        await spool(stream, pathOf(file), { maxBytes: config.get(maxImportBytes), signal })
        if ((await stat(pathOf(file))).size <= maxBytesAtOnce) {
          const records = readRecords(createReadStream(pathOf(file)), { format, type, schemas })
          const request = { ...requestOf(options), records, type, principal, ip }
          return { isLater: false, answer: await imports.importRecords(request) }
        }
        const maker = auth.makers.nameOf(principal)
        const id = await database.transaction((tx) =>
          jobs.enqueue(tx, kind, { file, type, format, maker, options }),
        )
        isKept = true
        return { isLater: true, answer: { job: id } }
      } finally {
        if (!isKept) await rm(pathOf(file), { force: true })
      }
    },
  }
}

const requestOf = ({ match, publish, state, dryRun }: ImportOptions): Partial<ImportRequest> => ({
  ...{ match, publish, state, isTrial: dryRun },
})

interface RunDeps extends HttpImportDeps {
  readonly path: string
}

/** Goes on where an earlier attempt has ended. */
async function runJob(
  { imports, auth, schemas, path }: RunDeps,
  { type, format, maker, options }: ImportJob,
  { job, signal, reportProgress }: JobContext,
): Promise<ImportReport> {
  const principal = async () => {
    await auth.freshen()
    const found = await auth.makers.find(maker)
    if (found === undefined)
      throw new UnretriableJobError('whoever has sent the file may not import any more')
    return found
  }
  const { size } = await stat(path)
  const bytes = createReadStream(path)
  try {
    const report = await imports.importRecords({
      ...{ ...requestOf(options), type, signal, name: `job:${job.id}` },
      records: readRecords(bytes, { format, type, schemas }),
      principal: await principal(),
      renewPrincipal: principal,
      onProgress: () => reportProgress(Math.min(99, Math.floor((bytes.bytesRead / size) * 100))),
    })
    await rm(path, { force: true })
    return report
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new UnretriableJobError(error.message, { cause: error })
  }
}

/** @throws AppError 413 */
async function spool(
  source: Readable,
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<void> {
  let bytes = 0
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      const message = `the file is larger than ${maxBytes} bytes (import.maxBytes)`
      done(bytes > maxBytes ? new AppError('PAYLOAD_TOO_LARGE', message) : null, chunk)
    },
  })
  await pipeline(source, limit, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal })
}
