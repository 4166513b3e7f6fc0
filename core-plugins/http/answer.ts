import { compress, compressAbove, encodingFor } from './compression.ts'
import { etagOf, isNoneMatch, versionedTagOf } from './etag.ts'
import { encodeSuccess, encodeText } from './outgoing-text.ts'
import { Reply, type ReplyBody, type ReplyHeaders } from './reply.ts'
import type { IncomingRequest } from './request.ts'

const jsonType = 'application/json; charset=utf-8'

const noHeaders: ReplyHeaders = Object.freeze({})

/** Sends a handler's result and returns the status. @throws Error if it cannot be sent */
export function answer(request: IncomingRequest, result: unknown): number {
  if (!(result instanceof Reply)) return answerJson(request, 200, noHeaders, encodeSuccess(textOf(result)))
  const { status, body, headers } = result
  switch (body.kind) {
    case 'data':
      return answerData(request, result, body)
    case 'raw':
      return answerRaw(request, result, body.mediaType, body.body)
    case 'stream':
      request.exchange.sendStream(
        status,
        headerLines(request, body.mediaType, headers),
        body.stream,
        body.size,
      )
      return status
  }
}

function textOf(data: unknown): string {
  return JSON.stringify(data) ?? 'null'
}

function answerRaw(
  request: IncomingRequest,
  { status, headers }: Reply,
  mediaType: string,
  body: string | Uint8Array,
): number {
  const lines = headerLines(request, mediaType, headers)
  if (status === 304) request.exchange.send(status, lines, undefined)
  else if (typeof body === 'string')
    return sendText(request, status, lines, ownTagOf(headers), encodeText(body))
  else request.exchange.send(status, lines, body)
  return status
}

function answerData(
  request: IncomingRequest,
  { status, headers }: Reply,
  { data, pagination, version }: Extract<ReplyBody, { kind: 'data' }>,
): number {
  const bytes = encodeSuccess(textOf(data), pagination)
  const lines = headerLines(request, jsonType, headers)
  if (version === undefined) {
    return sendText(request, status, lines, ownTagOf(headers), bytes)
  }
  const tag = versionedTagOf(version, bytes)
  lines.push('etag', tag)
  return sendText(request, status, lines, tag, bytes)
}

function answerJson(request: IncomingRequest, status: number, headers: ReplyHeaders, bytes: Buffer): number {
  return sendText(request, status, headerLines(request, jsonType, headers), undefined, bytes)
}

function ownTagOf({ etag }: ReplyHeaders): string | undefined {
  return typeof etag === 'string' ? etag : undefined
}

/** An answer to GET carries an ETag for conditional requests, the handler's own if it set one. */
function sendText(
  request: IncomingRequest,
  status: number,
  lines: string[],
  ownTag: string | undefined,
  bytes: Buffer,
): number {
  if (bytes.length > compressAbove) lines.push('vary', 'accept-encoding')
  if (status === 200 && request.method === 'GET') {
    const tag = ownTag ?? addTag(lines, bytes)
    const known = request.exchange.header('if-none-match')
    if (known !== undefined && isNoneMatch(known, tag)) {
      request.exchange.send(304, lines, undefined)
      return 304
    }
  }
  sendCompressed(request, status, lines, bytes)
  return status
}

function addTag(lines: string[], bytes: Buffer): string {
  const tag = etagOf(bytes)
  lines.push('etag', tag)
  return tag
}

function sendCompressed({ exchange }: IncomingRequest, status: number, lines: string[], bytes: Buffer) {
  if (bytes.length <= compressAbove) return exchange.send(status, lines, bytes)
  const accepted = exchange.header('accept-encoding')
  const encoding = accepted === undefined ? undefined : encodingFor(accepted)
  if (encoding === undefined) return exchange.send(status, lines, bytes)
  const copy = Buffer.from(bytes)
  compress(copy, encoding, (error, compressed) => {
    if (error !== null) return exchange.send(status, lines, copy)
    lines.push('content-encoding', encoding)
    exchange.send(status, lines, compressed)
  })
}

function headerLines(request: IncomingRequest, mediaType: string, headers: ReplyHeaders): string[] {
  const lines = ['content-type', mediaType, 'x-request-id', request.requestId]
  if (headers['x-content-type-options'] === undefined) lines.push('x-content-type-options', 'nosniff')
  if (request.compiled?.vary !== undefined) lines.push('vary', request.compiled.vary)
  if (request.extraHeaders !== undefined) lines.push(...request.extraHeaders)
  for (const name in headers) addHeader(lines, name, headers[name] ?? [])
  return lines
}

function addHeader(lines: string[], name: string, value: string | readonly string[]) {
  if (typeof value === 'string') lines.push(name, safeHeaderValue(name, value))
  else for (const one of value) lines.push(name, safeHeaderValue(name, one))
}

const safeValue = /^[\t\x20-\x7e]*$/

/** uWebSockets writes headers unchecked: a line break would end the header and begin another. */
function safeHeaderValue(name: string, value: string): string {
  if (safeValue.test(value)) return value
  throw new Error(`the response header ${name} has characters not allowed in headers; encode them`)
}

/** Sends the text of an error and returns the status. */
export function answerFailure(
  request: IncomingRequest,
  status: number,
  text: string,
  options: { headers: ReplyHeaders; close: boolean },
): number {
  request.exchange.send(status, headerLines(request, jsonType, options.headers), encodeText(text), options)
  return status
}
