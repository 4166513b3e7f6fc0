// Error codes of Node's sockets and of the drivers for a server that is unreachable or disconnects.
const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
])

/** Whether an error means that the connection could not be made, or was lost. */
export function isConnectionLost(code: unknown): boolean {
  return typeof code === 'string' && lost.has(code)
}
