import type { Exchange } from './server-port.ts'

/** Whether a request is a handshake as RFC 6455 has it. Anything else is a request like any other. */
export function isSocketRequest(exchange: Pick<Exchange, 'method' | 'header'>): boolean {
  return (
    exchange.method === 'GET' &&
    exchange.header('upgrade')?.toLowerCase() === 'websocket' &&
    exchange.header('sec-websocket-version') === '13' &&
    /^[+/0-9A-Za-z]{22}==$/.test(exchange.header('sec-websocket-key') ?? '')
  )
}
