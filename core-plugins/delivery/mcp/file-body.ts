import { AppError, type ErrorDetail, type Route } from '../../foundation/http/http.ts'
import { type EncodedBody, isBase64 } from './multipart.ts'
import type { JsonSchema } from './tool.ts'

type MediaTypes = NonNullable<Route['bodyTypes']>

/** The schema of a file body as the argument of a tool. */
export function fileBodySchema(mediaTypes: MediaTypes): JsonSchema {
  return {
    type: 'object',
    required: ['mediaType'],
    properties: {
      mediaType: { enum: Object.keys(mediaTypes) },
      text: { type: 'string', description: 'The file' },
      base64: { type: 'string', description: 'Instead of text: the bytes of the file in base64' },
    },
    additionalProperties: false,
  }
}

/** Encodes arguments that match `fileBodySchema` as a request body. @throws AppError 400 with all problems */
export function encodeFileBody(given: unknown, mediaTypes: MediaTypes): EncodedBody {
  const file = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {}
  const { mediaType, text, base64, ...unknown } = file
  const problems: ErrorDetail[] = Object.keys(unknown)
    .slice(0, 20)
    .map((name) => ({ path: `data.${name}`, code: 'unknown', message: 'is unknown' }))
  if (typeof mediaType !== 'string' || !Object.hasOwn(mediaTypes, mediaType)) {
    const message = `must be one of ${Object.keys(mediaTypes).join(', ')}`
    problems.push({ path: 'data.mediaType', code: 'enum', message })
  }
  const bytes = bytesOf(text, base64)
  if (bytes === undefined) {
    const message = 'must be the file as a string, or there must be base64 instead'
    problems.push({ path: 'data.text', code: 'type', message })
  }
  if (problems.length > 0 || bytes === undefined) throw AppError.invalid(problems)
  return { contentType: String(mediaType), body: bytes }
}

function bytesOf(text: unknown, base64: unknown): Buffer | undefined {
  if (typeof text === 'string' && base64 === undefined) return Buffer.from(text)
  if (text !== undefined || typeof base64 !== 'string' || !isBase64(base64)) return undefined
  return Buffer.from(base64, 'base64')
}
