import { compress, compressAbove, encodingFor } from './compression.ts'
import { successEnvelope } from './envelope.ts'
import { etagOf, isNoneMatch } from './etag.ts'
import { Reply } from './reply.ts'
import type { IncomingRequest } from './request.ts'

type Headers = Readonly<Record<string, string>>

const jsonType = 'application/json; charset=utf-8'

const noHeaders: Headers = Object.freeze({})

/** Sends what a handler answered and tells the status. @throws Error if that cannot be sent */
export function answer(request: IncomingRequest, result: unknown): number {
  if (!(result instanceof Reply)) return answerJson(request, 200, successEnvelope(textOf(result), undefined))
  const { status, body, headers } = result
  switch (body.kind) {
    case 'data':
      return answerJson(request, status, successEnvelope(textOf(body.data), body.pagination), headers)
    case 'json':
      return answerJson(request, status, successEnvelope(body.text, body.pagination), headers)
    case 'raw':
      return answerRaw(request, result, body)
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
  { body, mediaType }: { body: string | Uint8Array; mediaType: string },
): number {
  if (typeof body === 'string' && mediaType.startsWith('application/json')) {
    return answerJson(request, status, body, headers)
  }
  const lines = headerLines(request, mediaType, headers)
  if (typeof body === 'string') sendText(request, status, lines, body)
  else request.exchange.send(status, lines, body)
  return status
}

/** An answer to GET carries a tag, the handler's own if there is one, by which it can be asked for again. */
function answerJson(request: IncomingRequest, status: number, text: string, headers = noHeaders): number {
  const lines = headerLines(request, jsonType, headers)
  if (status === 200 && request.method === 'GET') {
    let etag = headers.etag
    if (etag === undefined) {
      etag = etagOf(text)
      lines.push('etag', etag)
    }
    const known = request.exchange.header('if-none-match')
    if (known !== undefined && isNoneMatch(known, etag)) {
      request.exchange.send(304, lines, undefined)
      return 304
    }
  }
  sendText(request, status, lines, text)
  return status
}

function sendText({ exchange }: IncomingRequest, status: number, lines: string[], text: string) {
  if (text.length <= compressAbove) return exchange.send(status, lines, text)
  lines.push('vary', 'accept-encoding')
  const encoding = encodingFor(exchange.header('accept-encoding'))
  if (encoding === undefined) return exchange.send(status, lines, text)
  compress(text, encoding, (error, bytes) => {
    if (error !== null) return exchange.send(status, lines, text)
    lines.push('content-encoding', encoding)
    exchange.send(status, lines, bytes)
  })
}

function headerLines(request: IncomingRequest, mediaType: string, headers: Headers): string[] {
  const lines = ['content-type', mediaType, 'x-request-id', request.requestId]
  if (request.extraHeaders !== undefined) lines.push(...request.extraHeaders)
  for (const name in headers) lines.push(name, safeHeaderValue(name, headers[name] ?? ''))
  return lines
}

/** uWebSockets writes what it is given: a line break would end the header and begin another. */
function safeHeaderValue(name: string, value: string): string {
  if (/^[\t\x20-\x7e]*$/.test(value)) return value
  throw new Error(`the response header ${name} has characters that no header may have; encode them`)
}

/** Sends text that is no handler's answer: errors, and the reply to a preflight. */
export function answerDirectly(
  request: IncomingRequest,
  status: number,
  text: string | undefined,
  options: { headers?: Headers; close?: boolean } = {},
): number {
  const lines = headerLines(request, jsonType, options.headers ?? noHeaders)
  request.exchange.send(status, lines, text, { close: options.close ?? false })
  return status
}
