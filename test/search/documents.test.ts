import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DocumentSource } from '../../core-plugins/delivery/search/document.ts'
import { createDocumentMaker } from '../../core-plugins/delivery/search/document-maker.ts'
import { noTokenizers } from '../../core-plugins/delivery/search/tokenizers.ts'
import { dialectNames } from '../../core-plugins/foundation/database/database.ts'
import { createTaskPool, type TaskPool } from '../../core-plugins/foundation/threads/task-pool.ts'
import { defineTask, type Threads } from '../../core-plugins/foundation/threads/threads.ts'
import { silentLog as log } from '../../kernel/index.ts'
import { slow } from '../support/scope.ts'

const misbehave = defineTask<typeof import('../threads/tasks/misbehave-task.ts').default>(
  new URL('../threads/tasks/misbehave-task.ts', import.meta.url),
)

const source = (entryId: number, text: string, wordLocale = 'en'): DocumentSource => ({
  ...{
    type: 'story',
    entryId,
    locale: null,
    publishedAt: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    wordLocale,
  },
  texts: [
    { path: 'title', field: 'title', text, isTitle: true },
    { path: 'blocks.0.text', field: 'blocks.text', text: `${text} again, Łódź and 日本語`, isTitle: false },
  ],
})

const sources = [source(1, 'Runners were running'), source(2, 'Die Häuser', 'de'), source(3, '')]

/** Counts what they are asked to do. */
class CountedThreads implements Threads {
  count = 0
  readonly #pool: TaskPool

  constructor(pool: TaskPool) {
    this.#pool = pool
  }

  run: Threads['run'] = (...task) => {
    this.count += 1
    return this.#pool.run(...task)
  }

  runLong: Threads['runLong'] = (...task) => this.run(...task)

  createLane: Threads['createLane'] = () => this

  /** Until everything that was asked of the only thread is done. */
  async idle(): Promise<void> {
    await this.#pool.run(misbehave, 'answer')
  }
}

async function withThreads(use: (threads: CountedThreads) => Promise<void>): Promise<void> {
  const pool = createTaskPool({ maxThreads: 1, maxQueue: 10 })
  try {
    await use(new CountedThreads(pool))
  } finally {
    await pool.close()
  }
}

describe('documents', () => {
  it('are the same when a thread has made them', slow, () =>
    withThreads(async (threads) => {
      for (const dialect of dialectNames) {
        const maker = createDocumentMaker({ dialect, tokenizers: noTokenizers, threads, log })
        threads.count = 0
        const expected = maker.now(sources)
        assert.equal(expected.rows.length, sources.length)
        assert.deepEqual([...(expected.spelled.get('story') ?? [])].slice(0, 3), [
          'runners',
          'were',
          'running',
        ])
        // The first ones do not wait for the thread to start.
        assert.deepEqual(await maker.aside(sources), expected)
        await threads.idle()
        assert.deepEqual(await maker.aside(sources), expected)
        assert.equal(threads.count, 2, dialect)
      }
    }),
  )

  it('are made here where the thread has other work, and for tokenizers of plugins', () =>
    withThreads(async (threads) => {
      const maker = createDocumentMaker({ dialect: 'sqlite', tokenizers: noTokenizers, threads, log })
      await maker.aside(sources)
      await threads.idle()
      const endless = new AbortController()
      const busy = threads.run(misbehave, 'sleep', { signal: endless.signal })
      assert.deepEqual(await maker.aside(sources), maker.now(sources))
      endless.abort(new Error('enough'))
      await assert.rejects(busy, /enough/)
      const splitting = {
        ...noTokenizers,
        ...{ has: () => true, tokensOf: () => [{ start: 0, end: 3, text: 'run', stem: 'ran' }] },
      }
      const own = createDocumentMaker({ dialect: 'sqlite', tokenizers: splitting, threads, log })
      const { rows } = await own.aside(sources)
      assert.match(String(rows[0]?.title), /\bzsran\b/)
    }))
})
