import type { Log } from '../../kernel/index.ts'
import type { IncomingRequest } from './request.ts'
import type { RequestLogChoice } from './settings.ts'

/** Writes the line of one request, when its answer goes out. */
export type AccessLog = (request: IncomingRequest, status: number) => void

/** Undefined where no request is logged. Probes never are. */
export function createAccessLog(choice: RequestLogChoice, slowMs: number, log: Log): AccessLog | undefined {
  if (choice === 'none') return undefined
  return (request, status) => {
    if (request.compiled?.route.isProbe === true) return
    const durationMs = performance.now() - request.startedAt
    const isSlow = durationMs > slowMs
    if (choice === 'errors' && status < 500 && !isSlow) return
    const fields = fieldsOf(request, status, durationMs)
    if (status >= 500 || isSlow) log.warn(fields, isSlow ? 'slow request' : 'failed request')
    else log.info(fields, 'request')
  }
}

function fieldsOf(request: IncomingRequest, status: number, durationMs: number) {
  const { requestId, exchange, path, principal, ip } = request
  const { kind } = principal
  return {
    requestId,
    method: exchange.method,
    path,
    route: request.compiled?.route.name,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ip,
    principal: principal.kind === 'anonymous' ? kind : `${kind}:${principal.id}`,
  }
}
