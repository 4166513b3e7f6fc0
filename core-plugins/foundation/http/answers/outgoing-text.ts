import type { Pagination } from './reply.ts'

/*
 * Answers are encoded into one buffer that is reused for each: uWebSockets takes bytes faster than strings,
 * the ETag is a hash of the same bytes, and nothing is left for the garbage collector.
 */

const opening = '{"success":true,"data":'

const closingBrace = '}'.charCodeAt(0)

const scratch = Buffer.allocUnsafeSlow(1024 * 1024)

const bytesPerCharacter = 3

/** Encodes `text`; the bytes are valid until the next call of a function in this file. */
export function encodeText(text: string): Buffer {
  if (text.length * bytesPerCharacter > scratch.length) return Buffer.from(text)
  return scratch.subarray(0, scratch.write(text))
}

/** Encodes the envelope of docs/http.md around JSON text; valid as long as the result of `encodeText`. */
export function encodeSuccess(dataText: string, pagination?: Pagination): Buffer {
  const tail = pagination === undefined ? '' : `,"pagination":${JSON.stringify(pagination)}`
  const length = opening.length + dataText.length + tail.length + 1
  if (length * bytesPerCharacter > scratch.length) return Buffer.from(`${opening}${dataText}${tail}}`)
  let end = scratch.write(opening, 'latin1')
  end += scratch.write(dataText, end)
  if (tail !== '') end += scratch.write(tail, end)
  scratch[end] = closingBrace
  return scratch.subarray(0, end + 1)
}
