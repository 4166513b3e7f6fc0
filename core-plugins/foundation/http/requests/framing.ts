import { AppError } from '../answers/app-error.ts'
import { type Exchange, maxHeaderBytes, maxHeaders } from '../servers/server-port.ts'
import { isSingle } from './header-fields.ts'

/** The request might be smuggled, or is too large; nothing more is read from the connection. */
export class BadFraming extends AppError {
  constructor(message: string, code: 'VALIDATION_ERROR' | 'HEADERS_TOO_LARGE' = 'VALIDATION_ERROR') {
    super(code, message)
  }
}

/**
 * Refuses requests that a proxy in front might interpret differently or delimit elsewhere (RFC 9112, 3.2, 6.3 and
 * 11.2), in which case the rest of the body would be taken for another request.
 * @throws BadFraming 400, or 431 if the head is larger than any client needs
 */
export function assertSoundHead(exchange: Exchange) {
  if (exchange.headBytes > maxHeaderBytes || exchange.headerCount > maxHeaders) throw tooLarge()
  const repeated = exchange.repeatedHeaders.find(isSingle)
  if (repeated !== undefined) throw new BadFraming(`send the header ${repeated} once only`)
  const length = exchange.header('content-length')
  if (length !== undefined) assertLength(length)
  const transferEncoding = exchange.header('transfer-encoding')
  if (transferEncoding !== undefined) assertPlainChunks(exchange, transferEncoding)
}

function tooLarge(): AppError {
  const message = `the request has more than ${maxHeaderBytes} bytes or ${maxHeaders} lines of headers`
  return new BadFraming(message, 'HEADERS_TOO_LARGE')
}

function assertLength(length: string) {
  if (!/^\d+$/.test(length)) throw new BadFraming('content-length must be a single number of bytes')
}

function assertPlainChunks(exchange: Exchange, transferEncoding: string) {
  if (transferEncoding !== 'chunked') {
    throw new BadFraming('the only transfer-encoding accepted is chunked')
  }
  if (exchange.header('content-length') !== undefined) {
    throw new BadFraming('a request must not have both transfer-encoding and content-length')
  }
  if (exchange.method === 'GET' || exchange.method === 'HEAD') {
    throw new BadFraming(`${exchange.method} takes no body`)
  }
}
