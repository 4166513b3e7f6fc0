import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { AppError, type RouteRequest } from '../../foundation/http/http.ts'

export interface UploadTarget {
  /** The path that the file is written to. */
  readonly path: string
  /** Bytes. */
  readonly maxSize: number
}

/** The other fields of the form. */
export interface UploadFields {
  readonly name?: string
  readonly retentionDays?: string
}

const fieldNames: readonly string[] = ['name', 'retentionDays']
const maxFieldBytes = 1024
/** Bytes that a form may need besides its file. */
const formOverhead = 64 * 1024

/**
 * Reads a multipart form with one `file` and streams that to disk.
 * @throws AppError 400, 413, 415, or the error of writing it
 */
export async function receiveUpload(
  request: Pick<RouteRequest, 'header' | 'stream'>,
  target: UploadTarget,
): Promise<UploadFields> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.header('content-type') ?? '')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'send the backup as multipart/form-data, in the part `file`')
  }
  if (Number(request.header('content-length') ?? 0) > target.maxSize + formOverhead) throw tooLarge(target)
  return new UploadReception(target).receive(request)
}

class UploadReception {
  readonly #target: UploadTarget
  readonly #fields: Record<string, string> = {}
  #write: Promise<void> | undefined
  #fail: (error: unknown) => void = () => undefined

  constructor(target: UploadTarget) {
    this.#target = target
  }

  async receive(request: Pick<RouteRequest, 'header' | 'stream'>): Promise<UploadFields> {
    const { stream } = request
    const parser = this.#createParser(request.header('content-type') ?? '')
    try {
      await new Promise<void>((resolve, reject) => {
        this.#fail = reject
        parser.on('finish', resolve)
        parser.on('error', () => reject(malformed()))
        stream.on('error', reject)
        stream.pipe(parser)
      })
      if (this.#write === undefined) throw invalid('file', 'required', 'is required: send the backup')
      await this.#write
      return this.#fields
    } finally {
      stream.unpipe(parser)
      // The rest of the request is discarded.
      stream.destroy()
    }
  }

  #createParser(contentType: string): BusboyInstance {
    const parser = this.#parserFor(contentType)
    parser.on('file', (field, file) => this.#takeFile(field, file))
    parser.on('field', (name, value) => this.#takeField(name, value))
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => this.#fail(invalid('body', 'maxItems', 'has too many parts')))
    }
    return parser
  }

  #parserFor(contentType: string): BusboyInstance {
    const limits = { fileSize: this.#target.maxSize, files: 1, fields: 2, parts: 4, fieldSize: maxFieldBytes }
    try {
      return new Busboy({ headers: { 'content-type': contentType }, limits })
    } catch {
      throw malformed()
    }
  }

  #takeFile(field: string, file: Readable): void {
    file.on('error', () => undefined)
    file.on('limit', () => this.#fail(tooLarge(this.#target)))
    if (field !== 'file') {
      file.resume()
      this.#fail(
        invalid(field.slice(0, 100), 'unknown', 'is no part of this form: send the backup as `file`'),
      )
      return
    }
    this.#write = pipeline(file, createWriteStream(this.#target.path))
    // Without a reader for the rest, the parser would wait forever.
    this.#write.catch((error) => this.#fail(error))
  }

  #takeField(name: string, value: string): void {
    if (fieldNames.includes(name)) this.#fields[name] = value
    else this.#fail(invalid(name.slice(0, 100), 'unknown', 'is no part of this form'))
  }
}

function invalid(path: string, code: string, message: string): AppError {
  return AppError.invalid([{ path, code, message }])
}

function malformed(): AppError {
  return invalid('body', 'format', 'is no complete multipart form')
}

function tooLarge({ maxSize }: UploadTarget): AppError {
  const message = `a backup may have at most ${maxSize} bytes (backups.maxUploadSize)`
  return new AppError('PAYLOAD_TOO_LARGE', message)
}
