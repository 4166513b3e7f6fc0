import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { UnavailableReason as ReasonOfClient } from '../../client/client.ts'
import { DatabaseError } from '../../core-plugins/foundation/database/database.ts'
import {
  AppError,
  defineRoute,
  routes,
  type UnavailableReason,
  unavailableReasons,
} from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { startService, type TestService } from '../support/service.ts'

// Either fails to compile where the client lacks a reason, or has one too many.
const known: readonly ReasonOfClient[] = unavailableReasons
const told: readonly UnavailableReason[] = known
void told

// @ts-expect-error: a 503 says why
const withoutReason = () => new AppError('UNAVAILABLE', 'later')

const readOnly = () => new DatabaseError('read_only', 'cannot execute INSERT in a read-only transaction')
const failures: Readonly<Record<string, () => Error>> = {
  away: () => new DatabaseError('unavailable', 'gone'),
  busy: () => new DatabaseError('busy', 'a lock'),
  full: () => new DatabaseError('busy', 'too many', { reason: 'queue_full' }),
  readonly: readOnly,
  none: withoutReason,
  stopping: () => new AppError('UNAVAILABLE', 'bye', { reason: 'stopping' }),
  reworded: () => AppError.reworded(new AppError('UNAVAILABLE', 'x', { reason: 'starting' }), 'y', {}),
  found: () => AppError.notFound('it'),
}

const failing = definePlugin({
  name: 'failing',
  description: 'Fails as it is told to',
  register({ contribute }) {
    for (const [path, failure] of Object.entries(failures)) {
      contribute(
        routes,
        defineRoute({
          name: `failing:${path}.read`,
          method: 'GET',
          path: `/failing/${path}`,
          summary: 'Fails',
          access: 'open',
          handler() {
            throw failure()
          },
        }),
      )
    }
  },
})

describe('an answer with 503', () => {
  let service: TestService

  before(async () => {
    service = await startService({ plugins: [failing] })
  })
  after(() => service.stop())

  const reasonOf = async (path: string) => (await service.get(`/api/failing/${path}`)).body.error.reason

  it('says why, whatever it comes from; other errors do not', async () => {
    const reasons = await Promise.all(Object.keys(failures).map(reasonOf))
    assert.deepEqual(reasons, [
      ...['database_away', 'database_busy', 'queue_full', 'database_read_only'],
      ...['unspecified', 'stopping', 'starting', undefined],
    ])
  })

  it('is logged with its reason', async () => {
    await service.get('/api/failing/busy')
    const line = service.logLines.findLast(({ message }) => message.includes('/api/failing/busy failed'))
    assert.equal(line?.reason, 'database_busy')
  })

  it('is counted by its reason', async () => {
    const before = await countOf('database_away')
    await reasonOf('away')
    assert.equal(await countOf('database_away'), before + 1)
  })

  async function countOf(reason: string): Promise<number> {
    const { body } = await service.admin.get('/api/metrics')
    const line = new RegExp(`^mortise_unavailable_answers\\{reason="${reason}"[^}]*\\} (\\d+)`, 'm')
    return Number(line.exec(body)?.[1] ?? 0)
  }

  it('is described with all reasons in the API document', async () => {
    const { body } = await service.admin.get('/api/_docs/openapi.json')
    assert.deepEqual(body.components.schemas.ApiError.properties.error.properties.reason.enum, [
      ...unavailableReasons,
    ])
  })
})

it('each reason has a line in the docs, and nothing else has', async () => {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const section = /## Answers with 503\n([\s\S]*?)\n## /.exec(page)?.[1] ?? ''
  const lines = [...section.matchAll(/^\| `(\w+)` \| .+ \| .+ \|$/gm)].map(([, reason]) => reason)
  assert.deepEqual(lines, [...unavailableReasons])
})
