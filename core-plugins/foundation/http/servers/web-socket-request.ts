import type { Exchange } from './server-port.ts'

/** Whether a request is a WebSocket handshake according to RFC 6455. Anything else is an ordinary request. */
export function isSocketRequest(exchange: Pick<Exchange, 'method' | 'header'>): boolean {
  return (
    exchange.method === 'GET' &&
    exchange.header('upgrade')?.toLowerCase() === 'websocket' &&
    exchange.header('sec-websocket-version') === '13' &&
    /^[+/0-9A-Za-z]{22}==$/.test(exchange.header('sec-websocket-key') ?? '')
  )
}
