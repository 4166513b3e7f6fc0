import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createKernel,
  definePlugin,
  type Plugin,
  StartupError,
  service,
  silentLog,
} from '../../kernel/index.ts'

const one = service<object>('one')
const two = service<object>('two')

const named = (name: string, rest: Partial<Plugin> = {}): Plugin =>
  definePlugin({ name, description: `The plugin ${name}.`, ...rest })

const orderOf = (plugins: Plugin[], disabled: Record<string, string> = {}) =>
  createKernel({ plugins, log: silentLog, disabled: new Map(Object.entries(disabled)) })
    .plugins()
    .map(({ name }) => name)

function problemsOf(plugins: Plugin[], disabled: Record<string, string> = {}) {
  try {
    orderOf(plugins, disabled)
  } catch (error) {
    if (error instanceof StartupError) return error.problems
    throw error
  }
  return []
}

describe('start order', () => {
  it('is the given one where nothing is used', () => {
    assert.deepEqual(orderOf([named('b'), named('a'), named('c')]), ['b', 'a', 'c'])
  })

  it('puts providers before those that use them, also optionally and through others', () => {
    const plugins = [
      named('panel', { usesIfPresent: { one } }),
      named('media', { uses: { two } }),
      named('files', { uses: { one }, provides: [two] }),
      named('base', { provides: [one] }),
    ]
    assert.deepEqual(orderOf(plugins), ['base', 'panel', 'files', 'media'])
  })

  it('lists plugins that are off last, with the reason', () => {
    const plugins = [named('off'), named('on', { usesIfPresent: { one } })]
    const kernel = createKernel({ plugins, log: silentLog, disabled: new Map([['off', 'by the test']]) })
    assert.deepEqual(kernel.plugins(), [
      { name: 'on', description: 'The plugin on.', active: true },
      { name: 'off', description: 'The plugin off.', active: false, reason: 'by the test' },
    ])
  })

  it('reports everything that does not fit at once', () => {
    const problems = problemsOf(
      [
        named('twice'),
        named('twice'),
        named('first', { provides: [one] }),
        named('second', { provides: [one] }),
        named('wanting', { uses: { two } }),
      ],
      {},
    )
    assert.deepEqual(
      problems.map(({ subject, message }) => `${subject} ${message}`),
      [
        'plugin twice two plugins have this name',
        'plugin first provides the service one, which second provides too',
        'plugin wanting uses the service two, which no plugin provides',
      ],
    )
  })

  it('names both plugins where one that is needed is off', () => {
    const [problem] = problemsOf([named('base', { provides: [one] }), named('media', { uses: { one } })], {
      base: 'by the test',
    })
    assert.deepEqual(problem, {
      subject: 'plugin base',
      message: 'is switched off, but media needs its service one',
      remedy: 'switch base on, or media off',
    })
  })

  it('lets two plugins provide the same service when one of them is off', () => {
    const plugins = [named('local', { provides: [one] }), named('remote', { provides: [one] })]
    assert.deepEqual(problemsOf(plugins, { remote: 'by the test' }), [])
  })

  it('shows a circle', () => {
    const [problem] = problemsOf([
      named('hen', { uses: { two }, provides: [one] }),
      named('egg', { uses: { one }, provides: [two] }),
    ])
    assert.equal(problem?.message, 'uses itself in a circle: hen → egg → hen')
  })
})
