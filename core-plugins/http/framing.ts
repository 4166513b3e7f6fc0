import { BadFraming } from './answer-error.ts'
import type { Exchange } from './server-port.ts'

/**
 * Refuses requests whose end a proxy in front might see elsewhere (RFC 9112, 6.3 and 11.2): the rest of
 * such a body would be taken for a request of its own.
 * @throws BadFraming
 */
export function expectUnambiguousFraming(exchange: Exchange) {
  if (exchange.header('content-length') !== undefined) expectOneLength(exchange)
  const transferEncoding = exchange.header('transfer-encoding')
  if (transferEncoding !== undefined) expectPlainChunks(exchange, transferEncoding)
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
}
