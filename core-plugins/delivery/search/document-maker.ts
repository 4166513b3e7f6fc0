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

/** Makes documents of the index. */
export interface DocumentMaker {
  now(sources: readonly DocumentSource[]): MadeDocuments
  /** On a thread, while everything else goes on; here if none is ready, or plugins have tokenizers for them. */
  aside(sources: readonly DocumentSource[]): Promise<MadeDocuments>
}

export interface DocumentMakerOptions {
  readonly dialect: DialectName
  readonly tokenizers: Tokenizers
  /** Undefined while threads are switched off. */
  readonly threads: Threads | undefined
  readonly log: Log
}

/** A transaction waits for it. */
const limitMs = 250
/** Less than the time after which a thread with nothing to do ends. */
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

/** No transaction waits until a thread has started, or is through with other work: it is made ready beside it. */
function readyThread({ dialect, threads, log }: ReadyThreadOptions) {
  let readyUntil = 0
  let isStarting = false

  /** Undefined if no thread has made them: no write fails for that. */
  async function run(sources: readonly DocumentSource[], options: TaskOptions) {
    try {
      const made = await threads.run(documentsTask, { dialect, sources }, options)
      readyUntil = performance.now() + readyMs
      return made
    } catch (error) {
      readyUntil = 0
      // Busy threads are not worth a log line.
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
