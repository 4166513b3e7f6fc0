import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compilePipeline,
  createKernel,
  definePlugin,
  type ExtensionPoint,
  middlewarePoint,
  type Stage,
  silentLog,
} from '../../kernel/index.ts'

type TestStage = Stage<string, string[], string>

const stage = (name: string, rest: Partial<TestStage> = {}): TestStage => ({
  name,
  matches: () => true,
  async run(context, next) {
    context.push(`${name} before`)
    const result = await next()
    context.push(`${name} after`)
    return result
  },
  ...rest,
})

/** What a plugin reads of a point that it has contributed `values` to. */
async function contributedTo<T>(point: ExtensionPoint<T>, values: readonly T[]): Promise<readonly T[]> {
  let read: readonly T[] = []
  const plugin = definePlugin({
    name: 'test',
    description: 'Contributes',
    points: [point],
    register({ contribute }) {
      for (const value of values) contribute(point, value)
    },
    boot({ contributions }) {
      read = contributions(point)
    },
  })
  const kernel = createKernel({ plugins: [plugin], log: silentLog })
  await kernel.start()
  await kernel.stop()
  return read
}

describe('compilePipeline', () => {
  it('wraps the core in stages, lower order outside, equals as they came', async () => {
    const steps: string[] = []
    const contributed = await contributedTo(middlewarePoint<TestStage>('stages'), [
      ...[stage('inner', { order: 1 }), stage('outer', { order: -1 }), stage('one'), stage('two')],
    ])
    const run = compilePipeline(contributed, 'target', (context: string[]) => {
      context.push('core')
      return 'result'
    })
    assert.equal(await run(steps), 'result')
    assert.deepEqual(steps, [
      'outer before',
      'one before',
      'two before',
      'inner before',
      'core',
      'inner after',
      'two after',
      'one after',
      'outer after',
    ])
  })

  it('asks a stage once for each target whether it matches', async () => {
    const asked: string[] = []
    const picky = stage('picky', {
      matches(target) {
        asked.push(target)
        return target === 'yes'
      },
    })
    const yes = compilePipeline([picky], 'yes', () => 'core')
    const no = compilePipeline([picky], 'no', () => 'core')
    const steps: string[] = []
    await yes(steps)
    await yes(steps)
    await no(steps)
    assert.deepEqual(asked, ['yes', 'no'])
    assert.equal(steps.length, 4)
  })

  it('lets a stage answer in place of the rest', async () => {
    const cached = stage('cache', { run: () => 'cached' })
    assert.equal(await compilePipeline([cached], '', () => 'fresh')([]), 'cached')
  })

  it('lets a stage veto, and passes what the core throws', async () => {
    const veto = stage('veto', {
      run: () => {
        throw new Error('not allowed')
      },
    })
    await assert.rejects(compilePipeline([veto], '', () => '')([]), /not allowed/)
    const broken = () => {
      throw new Error('core broke')
    }
    await assert.rejects(compilePipeline([stage('outer')], '', broken)([]), /core broke/)
  })

  it('refuses a second next', async () => {
    const greedy = stage('greedy', {
      run: async (_, next) => {
        await next()
        return next()
      },
    })
    let calls = 0
    const run = compilePipeline([greedy], '', () => `call ${++calls}`)
    await assert.rejects(run([]), /middleware greedy called next\(\) twice/)
    assert.equal(calls, 1)
  })
})
