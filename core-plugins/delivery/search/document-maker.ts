import type { Log } from '../../../kernel/index.ts'
import type { DialectName } from '../../foundation/database/database.ts'
import {
  defineTask,
  type TaskOptions,
  type Threads,
  ThreadTaskError,
} from '../../foundation/threads/threads.ts'
import type { DocumentSource } from './document.ts'
import { type MadeDocuments, makeDocuments } from './make-documents.ts'
import type { Tokenizers } from './tokenizers.ts'

const documentsTask = defineTask<typeof import('./documents-task.ts').default>(
  new URL('./documents-task.ts', import.meta.url),
)

/** Builds documents of the index. */
export interface DocumentMaker {
  now(sources: readonly DocumentSource[]): MadeDocuments
  /** Builds on a worker thread; on this thread if none is ready, or if a plugin's tokenizer is needed. */
  aside(sources: readonly DocumentSource[]): Promise<MadeDocuments>
}

export interface DocumentMakerOptions {
  readonly dialect: DialectName
  readonly tokenizers: Tokenizers
  /** Undefined if worker threads are switched off. */
  readonly threads: Threads | undefined
  readonly log: Log
}

/** The time limit of a task, since a transaction waits for it. */
const limitMs = 250
/** Less than the time after which an idle thread ends. */
const readyMs = 20_000

export function createDocumentMaker(options: DocumentMakerOptions): DocumentMaker {
  const { dialect, tokenizers, threads } = options
  const now = (sources: readonly DocumentSource[]) => makeDocuments({ dialect, sources }, tokenizers)
  if (threads === undefined) return { now, aside: async (sources) => now(sources) }
  const thread = readyThread({ ...options, threads })
  return {
    now,
    async aside(sources) {
      const isForThread = sources.length > 0 && !sources.some(({ wordLocale }) => tokenizers.has(wordLocale))
      return (isForThread ? await thread.make(sources) : undefined) ?? now(sources)
    },
  }
}

interface ReadyThreadOptions extends Pick<DocumentMakerOptions, 'dialect' | 'log'> {
  readonly threads: Threads
}

/**
 * Makes sure that a transaction never waits for a thread to start or to finish other work: threads are started in the
 * background.
 */
function readyThread({ dialect, threads, log }: ReadyThreadOptions) {
  let readyUntil = 0
  let isStarting = false

  /** Undefined if a thread could not build them; a write never fails for that reason. */
  async function run(sources: readonly DocumentSource[], options: TaskOptions) {
    try {
      const made = await threads.run(documentsTask, { dialect, sources }, options)
      readyUntil = performance.now() + readyMs
      return made
    } catch (error) {
      readyUntil = 0
      // Overload is not logged.
      if (error instanceof ThreadTaskError)
        log.warn({ err: error }, 'a thread could not make search documents')
      return undefined
    }
  }

  async function start(): Promise<void> {
    if (isStarting) return
    isStarting = true
    await run([], {})
    isStarting = false
  }

  return {
    /** Undefined if no thread is ready. */
    async make(sources: readonly DocumentSource[]): Promise<MadeDocuments | undefined> {
      if (performance.now() <= readyUntil) return run(sources, { signal: AbortSignal.timeout(limitMs) })
      void start()
      return undefined
    },
  }
}
