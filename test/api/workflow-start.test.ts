import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startService } from '../support/service.ts'

const page = (workflow: object) => ({
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { workflow },
    attributes: { title: { type: 'string' } },
  },
})

/** The lines of the report of a start that is refused. */
async function reportOf(workflow: object): Promise<string[]> {
  try {
    await (await startService({ schemas: page(workflow) })).stop()
  } catch (error) {
    return String(error)
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  assert.fail('it started')
}

describe('the workflows of schemas', () => {
  it('are checked at the start, all problems at once', async () => {
    const report = await reportOf({
      enabled: true,
      initialState: 'begun',
      states: [{ name: 'draft' }, { name: 'draft' }, { name: 'done' }],
      transitions: [
        { from: 'draft', to: 'finished' },
        { from: 'draft', to: 'done', roles: [] },
        { from: 'draft', to: 'done' },
        { from: 'done', to: 'done' },
      ],
    })
    assert.deepEqual(
      report.map((line) => line.split(' → ')[0]),
      [
        'page.json: options.workflow.states.1.name: is draft again',
        'page.json: options.workflow.initialState: is begun, which is not among the states',
        'page.json: options.workflow.transitions.0.to: is finished, which is not among the states',
        'page.json: options.workflow.transitions.1.roles: names no role',
        'page.json: options.workflow.transitions.3: goes from done to done',
        'page.json: options.workflow.transitions.2: goes from draft to done, as transitions.1 does',
      ],
    )
    assert.ok(report.every((line) => line.includes(' → ')))
  })

  it('need states', async () => {
    assert.match(
      (await reportOf({ enabled: true }))[0] ?? '',
      /^page.json: options.workflow.states: is missing/,
    )
  })
})
