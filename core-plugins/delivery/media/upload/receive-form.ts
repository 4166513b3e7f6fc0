import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { AppError, asAppError, type RouteRequest } from '../../../foundation/http/http.ts'
import type { Spool } from '../files/spool.ts'
import { type OriginalName, readOriginalName } from './original-name.ts'

/** A complete file of a form, on the disk. */
export interface ReceivedFile {
  /** The name of the part. */
  readonly field: string
  readonly path: string
  readonly original: OriginalName
  /** Bytes. */
  readonly size: number
}

export interface ReceivedForm {
  readonly files: readonly ReceivedFile[]
  readonly fields: ReadonlyMap<string, string>
}

export interface FormRules {
  readonly spool: Spool
  /** How many files are allowed, by part name. */
  readonly files: Readonly<Record<string, number>>
  /** Names of the parts that may be plain values. */
  readonly fields: readonly string[]
  /** Limit per file, in bytes. */
  readonly maxFileSize: number
}

/** The parts of a request needed to read a form. */
export type FormRequest = Pick<RouteRequest, 'header' | 'stream'>

const maxFieldBytes = 1_024
const maxHeaderBytes = 32 * 1_024
/** Bytes per part that a form may need in addition to its files. */
const formOverhead = 64 * 1_024

/**
 * Reads a multipart form and streams its files to the spool. The caller removes them when done; on failure, none are left.
 * @throws AppError 400, 413, 415, 507
 */
export function receiveForm(request: FormRequest, rules: FormRules): Promise<ReceivedForm> {
  assertHeaders(request, rules)
  return new FormReception(request, rules).receive()
}

/** Refuses a request by its headers, before anything is uploaded. */
function assertHeaders(request: FormRequest, { files, maxFileSize }: FormRules): void {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.header('content-type') ?? '')) {
    const message = 'send the file as multipart/form-data'
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message)
  }
  const most = Math.max(...Object.values(files))
  const announced = Number(request.header('content-length') ?? 0)
  if (announced > most * (maxFileSize + formOverhead) + formOverhead) throw tooLarge(maxFileSize)
}

class FormReception {
  private readonly request: FormRequest
  private readonly rules: FormRules
  /** In the order of the form. */
  private readonly files: ReceivedFile[] = []
  private readonly fields = new Map<string, string>()
  private readonly paths: string[] = []
  private readonly writes: Promise<void>[] = []
  private readonly counts = new Map<string, number>()
  private readonly open = new Set<Readable>()
  private failure: AppError | undefined
  private isOver = false

  constructor(request: FormRequest, rules: FormRules) {
    this.request = request
    this.rules = rules
  }

  async receive(): Promise<ReceivedForm> {
    try {
      await this.parse()
      await Promise.all(this.writes)
      if (this.failure !== undefined) throw this.failure
      return { files: this.files, fields: this.fields }
    } catch (error) {
      await Promise.allSettled(this.writes)
      await this.rules.spool.remove(this.paths)
      throw this.failure ?? error
    }
  }

  /** Resolves at the end of the form, or as soon as an error is known. */
  private parse(): Promise<void> {
    const { stream } = this.request
    return new Promise((resolve, reject) => {
      const parser = this.createParser()
      const end = (error?: unknown) => {
        this.isOver = true
        stream.unpipe(parser)
        // The rest of the request is not read.
        stream.destroy()
        if (error === undefined) return resolve()
        for (const file of this.open) file.destroy(error as Error)
        reject(error)
      }
      const fail = (error: AppError) => {
        this.failure ??= error
        end(this.failure)
      }
      parser.on('file', (name, file, filename) =>
        this.guard(fail, () => this.takeFile(name, file, filename, fail)),
      )
      parser.on('field', (name, value, _, isCut) =>
        this.guard(fail, () => this.takeField(name, value, isCut)),
      )
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        parser.on(limit, () => fail(invalid('body', 'maxItems', 'has too many parts')))
      }
      parser.on('error', () => fail(malformed()))
      parser.on('finish', () => end())
      stream.on('error', (error) => (error instanceof AppError ? fail(error) : end(error)))
      stream.pipe(parser)
    })
  }

  private createParser(): BusboyInstance {
    const { files, fields, maxFileSize } = this.rules
    const most = Object.values(files).reduce((sum, count) => sum + count, 0)
    try {
      return new Busboy({
        headers: { 'content-type': this.request.header('content-type') ?? '' },
        preservePath: true,
        limits: {
          fileSize: maxFileSize,
          files: most,
          fields: fields.length + 1,
          parts: most + fields.length + 1,
          fieldSize: maxFieldBytes,
          headerPairs: 20,
          headerSize: maxHeaderBytes,
        },
      })
    } catch {
      throw malformed()
    }
  }

  /** The parser calls back from inside a stream, where exceptions would not be caught. */
  private guard(fail: (error: AppError) => void, take: () => void): void {
    if (this.failure !== undefined) return
    try {
      take()
    } catch (error) {
      fail(error as AppError)
    }
  }

  private takeFile(
    field: string,
    file: Readable,
    filename: string | undefined,
    fail: (error: AppError) => void,
  ): void {
    this.open.add(file)
    file.on('error', () => undefined)
    this.assertFile(field)
    file.on('limit', () => fail(tooLarge(this.rules.maxFileSize)))
    const path = this.rules.spool.newPath()
    this.paths.push(path)
    const received = { field, path, original: readOriginalName(filename) }
    const write = this.store(file, received, this.writes.length)
    // On failure the file is no longer read, so the parser would wait for ever.
    write.catch((error) => {
      if (!this.isOver) fail(asAppError(error))
    })
    this.writes.push(write)
  }

  private assertFile(field: string): void {
    const most = Object.hasOwn(this.rules.files, field) ? (this.rules.files[field] ?? 0) : 0
    const count = (this.counts.get(field) ?? 0) + 1
    this.counts.set(field, count)
    const names = Object.keys(this.rules.files)
    if (most === 0) throw invalid(shown(field), 'unknown', `files are sent as ${names.join(' or ')}`)
    if (count > most)
      throw invalid(field, 'maxItems', `takes ${most === 1 ? 'one file' : `${most} files`} only`)
    if (this.counts.size > 1) throw invalid(field, 'unknown', `send either ${names.join(' or ')}`)
  }

  private async store(file: Readable, received: Omit<ReceivedFile, 'size'>, place: number): Promise<void> {
    const target = createWriteStream(received.path)
    try {
      await pipeline(file, target)
    } catch (error) {
      // A file that is still being opened would be created after its removal.
      if (!target.closed) await new Promise<void>((resolve) => target.once('close', resolve))
      throw error
    }
    this.open.delete(file)
    if (target.bytesWritten === 0) throw invalid(received.field, 'empty', 'is an empty file')
    this.files[place] = { ...received, size: target.bytesWritten }
  }

  private takeField(name: string, value: string, isCut: boolean): void {
    if (Object.hasOwn(this.rules.files, name)) throw invalid(name, 'type', 'is a file: give it a filename')
    if (!this.rules.fields.includes(name)) throw invalid(shown(name), 'unknown', 'is no part of this form')
    if (isCut) throw invalid(name, 'maxLength', `has more than ${maxFieldBytes} bytes`)
    if (this.fields.has(name)) throw invalid(name, 'maxItems', 'is there twice')
    this.fields.set(name, value)
  }
}

function shown(name: string | undefined): string {
  return name === undefined ? 'body' : name.slice(0, 100)
}

function invalid(path: string, code: string, message: string): AppError {
  return AppError.invalid([{ path, code, message }])
}

function malformed(): AppError {
  return invalid('body', 'format', 'is no complete multipart form')
}

function tooLarge(maxFileSize: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `a file may have at most ${maxFileSize} bytes (media.maxFileSize)`)
}
