import { AppError } from './app-error.ts'
import { type Exchange, maxHeaderBytes, maxHeaders } from './server-port.ts'

/** What cannot be told from a smuggled request, or is too much; nothing more is read from its connection. */
export class BadFraming extends AppError {
  constructor(message: string, code: 'VALIDATION_ERROR' | 'HEADERS_TOO_LARGE' = 'VALIDATION_ERROR') {
    super(code, message)
  }
}

/**
 * Refuses requests that a proxy in front might take for another one, or whose end it might see elsewhere (RFC 9112,
 * 3.2, 6.3 and 11.2): the rest of such a body would be taken for a request of its own.
 * @throws BadFraming 400, or 431 for a head that is larger than any client has use for
 */
export function expectSoundHead(exchange: Exchange) {
  if (exchange.headBytes > maxHeaderBytes || exchange.headerCount > maxHeaders) throw tooLarge()
  if (exchange.headerValues('host').length > 1) throw new BadFraming('a request has one host')
  if (exchange.header('content-length') !== undefined) expectOneLength(exchange)
  const transferEncoding = exchange.header('transfer-encoding')
  if (transferEncoding !== undefined) expectPlainChunks(exchange, transferEncoding)
}

function tooLarge(): AppError {
  const message = `the request has more than ${maxHeaderBytes} bytes, or ${maxHeaders} lines, of headers`
  return new BadFraming(message, 'HEADERS_TOO_LARGE')
}

function expectOneLength(exchange: Exchange) {
  const lengths = exchange.headerValues('content-length')
  if (lengths.length > 1 || !/^\d+$/.test(lengths[0] ?? '')) {
    throw new BadFraming('content-length is one number of bytes')
  }
}

function expectPlainChunks(exchange: Exchange, transferEncoding: string) {
  if (transferEncoding !== 'chunked' || exchange.headerValues('transfer-encoding').length > 1) {
    throw new BadFraming('the only transfer-encoding accepted is chunked')
  }
  if (exchange.header('content-length') !== undefined) {
    throw new BadFraming('a request has either transfer-encoding or content-length, not both')
  }
  if (exchange.method === 'GET' || exchange.method === 'HEAD') {
    throw new BadFraming(`${exchange.method} takes no body`)
  }
}
