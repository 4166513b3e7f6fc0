import assert from 'node:assert/strict'
import { call } from './client.ts'
import { counterMarker, type LoadRequest, type LoadTarget } from './load.ts'
import type { Scenario } from './scenarios.ts'

const sampleSize = 8
const digits = '0'.repeat(counterMarker.length)

/** Fields that differ between two servers in any case: ids and times of created entries. */
const ownFields = ['id', 'created_at', 'updated_at']

async function readAnswer(target: LoadTarget, { method, path, body }: LoadRequest): Promise<unknown> {
  const input: unknown = body === undefined ? undefined : JSON.parse(body.replace(counterMarker, digits))
  const answer = await call<Record<string, unknown>>(target, path, { method, body: input })
  if (method === 'GET') return answer
  const kept = Object.entries(answer.data).map(([name, value]) => [
    name,
    ownFields.includes(name) ? 0 : value,
  ])
  return { ...answer, data: Object.fromEntries(kept) }
}

/**
 * Checks that two servers return the same envelope, data and pagination for some requests of a scenario. Otherwise their speeds
 * could not be compared.
 * @throws AssertionError that shows the difference
 */
export async function assertSameAnswers(
  scenario: Scenario,
  rows: number,
  [left, right]: readonly [LoadTarget, LoadTarget],
): Promise<void> {
  const requests = scenario.requests(rows, 'compared')
  const step = Math.max(1, Math.floor(requests.length / sampleSize))
  const isWrite = requests.some(({ method }) => method === 'POST')
  const sample = requests.filter((_, index) => index % step === 0).slice(0, isWrite ? 1 : undefined)
  for (const request of sample) {
    const answers = [await readAnswer(left, request), await readAnswer(right, request)]
    assert.deepEqual(answers[0], answers[1], `service and floor answer ${request.path} differently`)
  }
}
