import type { Log } from '../../../../kernel/index.ts'
import type { RequestLogChoice } from '../settings.ts'
import type { IncomingRequest } from './request.ts'

export interface AccessLog {
  /** Call before answering: afterwards the client's address cannot be read any more. */
  prepare(request: IncomingRequest): void
  /**
   * Writes the line of a request once it has been answered; not for failures, which are logged separately.
   */
  write(request: IncomingRequest, status: number, durationMs: number): void
}

/** Undefined if no requests are logged. Probes never are. */
export function createAccessLog(choice: RequestLogChoice, slowMs: number, log: Log): AccessLog | undefined {
  if (choice === 'none') return undefined
  const logsAll = choice === 'all'
  return {
    prepare(request) {
      if (logsAll) void request.ip
    },
    write(request, status, durationMs) {
      if (request.compiled?.route.isProbe === true) return
      const isWrong = status >= 500 || durationMs > slowMs
      if (isWrong) log.warn(fieldsOf(request, status), status >= 500 ? 'failed request' : 'slow request')
      else if (logsAll) log.info(fieldsOf(request, status), 'request')
    },
  }
}

/** The fields of a request's log line. */
export function fieldsOf(request: IncomingRequest, status: number) {
  const durationMs = performance.now() - request.startedAt
  const { requestId, exchange, path, principal, ip } = request
  const { kind } = principal
  return {
    requestId,
    method: exchange.method,
    path,
    route: request.compiled?.route.name ?? request.fallback,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ip,
    principal: principal.kind === 'anonymous' ? kind : `${kind}:${principal.id}`,
  }
}
