import type { Log } from '../../../kernel/index.ts'
import type { Audit } from '../../background/audit/audit.ts'
import { asAppError } from '../../foundation/http/http.ts'
import { refusalOf } from './route-tool.ts'
import type { AgentRequest, Arguments, Outcome, Tool } from './tool.ts'

export interface CallDeps {
  /** Undefined while the audit log is switched off. */
  readonly audit: Audit | undefined
  readonly log: Log
}

/** Calls a tool, and records the caller, the tool and the outcome. */
export async function callTool(
  tool: Tool,
  given: Arguments,
  request: AgentRequest,
  { audit, log }: CallDeps,
): Promise<Outcome> {
  const outcome = await attempt(tool, given, request, log)
  const record = recordOf(tool, given, request, outcome)
  try {
    await audit?.record(record)
  } catch (error) {
    // The call has succeeded, so it must not be reported as a failure.
    log.error({ err: error, ...record }, 'the audit log could not be written')
  }
  return outcome
}

async function attempt(tool: Tool, given: Arguments, request: AgentRequest, log: Log): Promise<Outcome> {
  try {
    return await tool.call(given, request)
  } catch (thrown) {
    const error = asAppError(thrown)
    if (error.status >= 500) log.error({ err: thrown, tool: tool.name }, `${tool.name} failed: ${error.code}`)
    return refusalOf(error)
  }
}

const maxNames = 50
const maxNameLength = 100

/** Records only the names of arguments, since values may be confidential. */
function recordOf({ name }: Tool, given: Arguments, { principal, ip }: AgentRequest, outcome: Outcome) {
  const { route, target, code } = outcome
  const names = Object.keys(given).slice(0, maxNames)
  return {
    action: `mcp.${name}`,
    principal,
    resource: target ?? route?.split('.', 1)[0],
    details: {
      arguments: names.map((each) => each.slice(0, maxNameLength)),
      ...(route === undefined ? {} : { route }),
      result: code ?? 'done',
    },
    ip,
  }
}
