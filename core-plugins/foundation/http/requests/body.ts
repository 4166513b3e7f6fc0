import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { parse } from 'secure-json-parse'
import { AppError, type ErrorDetail } from '../answers/app-error.ts'
import type { Exchange } from '../servers/server-port.ts'

const maxJsonDepth = 100

const loneSurrogate = /\p{Surrogate}/u

/** @throws AppError 413 if the client announces a larger body */
export function assertBodyWithin(exchange: Exchange, maxBytes: number) {
  const announced = exchange.header('content-length')
  if (announced !== undefined && Number(announced) > maxBytes) throw tooLarge(maxBytes)
}

/** Reads the whole body; never settles if the client disconnects. @throws AppError 413 */
export function collectBody(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    exchange.receive({
      chunk(bytes) {
        size += bytes.length
        if (size <= maxBytes) chunks.push(bytes)
        else reject(tooLarge(maxBytes))
      },
      end: () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    })
  })
}

/**
 * Returns the body as a stream at its reader's pace; the stream fails with a 413 or when the client
 * disconnects.
 */
export function streamBody(exchange: Exchange, maxBytes: number): Readable {
  let size = 0
  const stream = new Readable({
    read: () => exchange.resume(),
    // While a connection is paused, a disconnect goes unnoticed.
    destroy(error, done) {
      exchange.resume()
      done(error)
    },
  })
  exchange.onAbort(() => stream.destroy(new AppError('VALIDATION_ERROR', 'the client disconnected')))
  exchange.receive({
    chunk(bytes) {
      size += bytes.length
      if (size > maxBytes) stream.destroy(tooLarge(maxBytes))
      else if (!stream.destroyed && !stream.push(bytes)) exchange.pause()
    },
    end() {
      if (!stream.destroyed) stream.push(null)
    },
  })
  return stream
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBytes} bytes`)
}

/** @throws AppError 400 if there is no body, 415 if it is not declared as JSON */
export function assertJson(contentType: string | undefined, bytes: Buffer) {
  if (bytes.length === 0) {
    throw AppError.invalid([{ path: 'body', code: 'required', message: 'is required: send JSON' }])
  }
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType)) return
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'send the body as JSON, with content-type: application/json')
}

/**
 * Parses untrusted JSON: no keys that reach a prototype, bounded nesting, no text that a database could not
 * store.
 * @throws AppError 400
 */
export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes)
  if (isDeeperThan(text, maxJsonDepth)) {
    throw new AppError('INVALID_JSON', `the body is nested more than ${maxJsonDepth} levels deep`)
  }
  const value = parseSafely(text)
  if (maybeUnstorable.test(text)) assertStorable(value)
  return value
}

/**
 * Escapes that may stand for characters that no database stores, and exponents or digits that may exceed the largest
 * double.
 */
const maybeUnstorable = /\\u(0000|[dD][89a-fA-F])|\d[eE]\+?\d{3}|\d{200}/

function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  throw new AppError('INVALID_JSON', 'the body is not UTF-8')
}

function parseSafely(text: string): unknown {
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    throw new AppError('INVALID_JSON', `the body is not valid JSON: ${(error as Error).message}`)
  }
}

/** Checked before parsing, because anything that walks the parsed value needs that much stack. */
function isDeeperThan(text: string, limit: number): boolean {
  if (!hasMoreBrackets(text, limit)) return false
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x5c) index++
    else if (code === 0x22) isInString = !isInString
    else if (isInString) continue
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
    if (depth > limit) return true
  }
  return false
}

/** Most texts have too few brackets to be worth scanning every character. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    let index = text.indexOf(bracket)
    while (index !== -1 && count <= limit) {
      count++
      index = text.indexOf(bracket, index + 1)
    }
  }
  return count > limit
}

function assertStorable(value: unknown) {
  const details: ErrorDetail[] = []
  collectUnstorable(value, '', details)
  if (details.length > 0) throw AppError.invalid(details)
}

/** Problems beyond those reported are not collected. */
const maxUnstorable = 100

function collectUnstorable(value: unknown, path: string, details: ErrorDetail[]) {
  if (details.length >= maxUnstorable) return
  if (typeof value === 'string') {
    if (value.includes('\0')) details.push({ path, code: 'text', message: 'contains a NUL character' })
    if (loneSurrogate.test(value)) details.push({ path, code: 'text', message: 'is not well-formed Unicode' })
  } else if (typeof value === 'number') {
    // JSON.stringify would write it as null.
    if (!Number.isFinite(value))
      details.push({ path, code: 'type', message: 'is larger than numbers can be' })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const itemPath = path === '' ? key : `${path}.${key}`
      collectUnstorable(key, itemPath, details)
      collectUnstorable(item, itemPath, details)
    }
  }
}
