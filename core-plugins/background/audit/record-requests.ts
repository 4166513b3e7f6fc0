import type { Log } from '../../../kernel/index.ts'
import { type AdminStage, Reply, type RouteRequest } from '../../foundation/http/http.ts'
import { actionOf, isRecorded, resourceOf } from './action.ts'
import type { Audit, AuditRecord } from './audit.ts'

/** Records successful requests of administrators before the response is sent. */
export function recordRequests(audit: Audit, log: Log): AdminStage {
  return {
    name: 'audit: record admin requests',
    matches: isRecorded,
    async run(request, next) {
      // Read first: the client may have disconnected afterwards.
      const { ip } = request
      const result = await next()
      const record = recordOf(request, result, ip)
      try {
        await audit.record(record)
      } catch (error) {
        // The request has succeeded and must not be answered with an error.
        log.error({ err: error, ...record }, 'the audit log could not be written')
      }
      return result
    },
  }
}

function recordOf(request: RouteRequest, result: unknown, ip: string): AuditRecord {
  const { route, principal, params } = request
  const resource = resourceOf(route)
  const id = params.id ?? idIn(result)
  return {
    action: actionOf(route),
    principal,
    resource: id === undefined ? resource : `${resource}:${id}`,
    details: fieldsOf(request.body),
    ip,
  }
}

/** The id of the created resource in a response. */
function idIn(result: unknown): string | number | undefined {
  const data = result instanceof Reply ? result.body.kind === 'data' && result.body.data : result
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}

const maxFields = 50
const maxNameLength = 100

/** The names of the fields only, since values may be passwords. */
function fieldsOf(body: unknown): { fields: string[] } | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const names = Object.keys(body).slice(0, maxFields)
  return names.length === 0 ? undefined : { fields: names.map((name) => name.slice(0, maxNameLength)) }
}
