import type { IncomingRequest } from '../requests/request.ts'
import type { EventWriter, HeaderLines, SendOptions } from '../servers/server-port.ts'
import { KeptAnswer, type TaggedAnswer } from './answer-keeper.ts'
import type { AnswerLabel } from './answer-labels.ts'
import { notKept } from './cache-control.ts'
import { compress, compressAbove, type Encoding, encodingFor } from './compression.ts'
import { encodedTagOf, etagOf, knownTagIn, versionedTagOf } from './etag.ts'
import { encodeSuccess, encodeText } from './outgoing-text.ts'
import { Reply, type ReplyBody, type ReplyHeaders } from './reply.ts'

const jsonType = 'application/json; charset=utf-8'

const lasting: SendOptions = { isLasting: true }

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
        headerLines(request, body.mediaType, headers, hasOwnTag(status, headers)),
        body.stream,
        body.size,
      )
      return status
    case 'events':
      return answerEvents(request, headers, body.writer)
    case 'socket':
      request.exchange.openSocket(body.protocol, body.listener)
      return status
  }
}

function answerEvents(request: IncomingRequest, headers: ReplyHeaders, writer: EventWriter): number {
  const lines = headerLines(request, 'text/event-stream', headers)
  if (request.isHead) {
    request.exchange.send(200, lines, undefined)
    writer.closed()
  } else request.exchange.openEvents(lines, writer)
  return 200
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
  if (typeof body === 'string' && status !== 304) {
    const lines = ownLines(request, mediaType, headers, status === 200)
    return sendText(request, status, lines, ownTagOf(headers), encodeText(body))
  }
  const lines = headerLines(request, mediaType, headers, hasOwnTag(status, headers))
  request.exchange.send(status, lines, status === 304 ? undefined : body)
  return status
}

function answerData(
  request: IncomingRequest,
  { status, headers }: Reply,
  { data, pagination, version, isTagged }: Extract<ReplyBody, { kind: 'data' }>,
): number {
  const bytes = encodeSuccess(textOf(data), pagination)
  if (isTagged === false) return sendUntagged(request, status, headerLines(request, jsonType, headers), bytes)
  const lines = ownLines(request, jsonType, headers, status === 200)
  if (version === undefined) {
    return sendText(request, status, lines, ownTagOf(headers), bytes)
  }
  const tag = versionedTagOf(version, bytes)
  lines.push('etag', tag)
  return sendText(request, status, lines, tag, bytes)
}

function answerJson(request: IncomingRequest, status: number, headers: ReplyHeaders, bytes: Buffer): number {
  return sendText(request, status, ownLines(request, jsonType, headers, true), undefined, bytes)
}

function ownTagOf({ etag }: ReplyHeaders): string | undefined {
  return typeof etag === 'string' ? etag : undefined
}

/** Whether the handler itself set an ETag on an answer that can be kept. */
function hasOwnTag(status: number, headers: ReplyHeaders): boolean {
  return status < 400 && headers.etag !== undefined
}

/** An answer to GET carries an ETag for conditional requests, the handler's own if it set one. */
function sendText(
  request: IncomingRequest,
  status: number,
  lines: string[],
  ownTag: string | undefined,
  bytes: Buffer,
): number {
  varyByEncoding(lines, bytes)
  const tag = status === 200 && request.method === 'GET' ? (ownTag ?? addTag(lines, bytes)) : undefined
  const { making } = request
  if (making !== undefined && status === 200) {
    request.making = undefined
    const own = [...lines]
    const { label } = request
    making.keep({
      size: bytes.length,
      copy: () => new KeptAnswer(own, tag, Buffer.from(bytes), label),
      copyWithoutBytes: () => (tag === undefined ? undefined : { lines: own, tag, label }),
    })
  }
  if (status === 200) addLabel(lines, request.label)
  addRequestLines(request, lines)
  const known = knownTag(request, tag)
  if (known !== undefined) return sendNotModified(request, lines, known)
  sendCompressed(request, status, lines, bytes)
  return status
}

/** Sends an answer that was made for another request; returns the status. */
export function answerKept(request: IncomingRequest, kept: KeptAnswer, label = kept.label): number {
  const { exchange } = request
  const known = knownTag(request, kept.tag)
  const lines = linesOfKept(request, kept.lines, label)
  if (known !== undefined) return sendNotModified(request, lines, known)
  const encoding = kept.bytes.length > compressAbove ? wantedEncoding(request) : undefined
  const compressed = encoding && kept.encoded(encoding)
  if (encoding !== undefined && compressed !== undefined) tellEncoding(lines, encoding)
  exchange.send(200, lines, compressed ?? kept.bytes, lasting)
  return 200
}

/** Sends a 304: the client's copy, named by its tag, is still valid. Returns the status. */
export function answerUnchanged(request: IncomingRequest, unchanged: TaggedAnswer): number {
  const known = knownTag(request, unchanged.tag) ?? unchanged.tag
  return sendNotModified(request, linesOfKept(request, unchanged.lines, unchanged.label), known)
}

function linesOfKept(request: IncomingRequest, own: HeaderLines, label: AnswerLabel | undefined): string[] {
  const lines = [...own]
  addLabel(lines, label)
  addRequestLines(request, lines)
  return lines
}

/** The tag with which the client says that it already has the answer. */
function knownTag({ exchange }: IncomingRequest, tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined
  const known = exchange.header('if-none-match')
  return known === undefined ? undefined : knownTagIn(known, tag)
}

function sendNotModified({ exchange }: IncomingRequest, lines: string[], tag: string): number {
  replaceTag(lines, () => tag)
  exchange.send(304, lines, undefined)
  return 304
}

function tellEncoding(lines: string[], encoding: Encoding): void {
  replaceTag(lines, (tag) => encodedTagOf(tag, encoding))
  lines.push('content-encoding', encoding)
}

function replaceTag(lines: string[], replace: (tag: string) => string): void {
  const at = lines.findIndex((line, index) => index % 2 === 0 && line === 'etag') + 1
  if (at > 0) lines[at] = replace(lines[at] ?? '')
}

function wantedEncoding({ exchange }: IncomingRequest): Encoding | undefined {
  const accepted = exchange.header('accept-encoding')
  return accepted === undefined ? undefined : encodingFor(accepted)
}

function sendUntagged(request: IncomingRequest, status: number, lines: string[], bytes: Buffer): number {
  varyByEncoding(lines, bytes)
  sendCompressed(request, status, lines, bytes)
  return status
}

function varyByEncoding(lines: string[], bytes: Buffer): void {
  if (bytes.length > compressAbove) lines.push('vary', 'accept-encoding')
}

function addTag(lines: string[], bytes: Buffer): string {
  const tag = etagOf(bytes)
  lines.push('etag', tag)
  return tag
}

function sendCompressed(request: IncomingRequest, status: number, lines: string[], bytes: Buffer) {
  const { exchange } = request
  if (bytes.length <= compressAbove) return exchange.send(status, lines, bytes)
  const encoding = wantedEncoding(request)
  if (encoding === undefined) return exchange.send(status, lines, bytes)
  const copy = Buffer.from(bytes)
  compress(copy, encoding, (error, compressed) => {
    if (error !== null) return exchange.send(status, lines, copy)
    tellEncoding(lines, encoding)
    exchange.send(status, lines, compressed)
  })
}

function addLabel(lines: string[], label: AnswerLabel | undefined): void {
  const told = label?.lines() ?? []
  if (told.length === 0) return
  const own = lines.indexOf('cache-control')
  if (own !== -1 && told.includes('cache-control')) lines.splice(own, 2)
  lines.push(...told)
}

/** Adds the headers that belong to the request and not to the answer. */
function addRequestLines(request: IncomingRequest, lines: string[]): void {
  lines.push('x-request-id', request.requestId)
  if (request.extraHeaders !== undefined) lines.push(...request.extraHeaders)
}

/**
 * The headers that belong to the answer, the same for every client. `isTagged`: clients can make conditional requests
 * with its ETag.
 */
function ownLines(
  request: IncomingRequest,
  mediaType: string,
  headers: ReplyHeaders,
  isTagged: boolean,
): string[] {
  const lines = ['content-type', mediaType]
  if (headers['x-content-type-options'] === undefined) lines.push('x-content-type-options', 'nosniff')
  if (request.compiled?.vary !== undefined) lines.push('vary', request.compiled.vary)
  if (headers['cache-control'] === undefined) lines.push(...((isTagged && request.compiled?.kept) || notKept))
  for (const name in headers) addHeader(lines, name, headers[name] ?? [])
  return lines
}

/** All headers of an answer that is sent as it is. */
function headerLines(
  request: IncomingRequest,
  mediaType: string,
  headers: ReplyHeaders,
  isTagged = false,
): string[] {
  const lines = ownLines(request, mediaType, headers, isTagged)
  addRequestLines(request, lines)
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
): void {
  const lines = ownLines(request, jsonType, options.headers, false)
  addLabel(lines, request.label)
  addRequestLines(request, lines)
  request.exchange.send(status, lines, encodeText(text), options)
}
