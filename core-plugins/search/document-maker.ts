import type { DialectName } from '../database/database.ts'
import { defineTask, type Threads } from '../threads/threads.ts'
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
  /** Undefined: there are none. */
  readonly threads: Threads | undefined
}

/** A transaction waits for it. */
const limitMs = 250
/** Less than the time after which a thread with nothing to do ends. */
const readyMs = 20_000

export function createDocumentMaker({ dialect, tokenizers, threads }: DocumentMakerOptions): DocumentMaker {
  const now = (sources: readonly DocumentSource[]) => makeDocuments({ dialect, sources }, tokenizers)
  if (threads === undefined) return { now, aside: async (sources) => now(sources) }
  const thread = readyThread(dialect, threads)
  return {
    now,
    async aside(sources) {
      const isForThread = sources.length > 0 && !sources.some(({ wordLocale }) => tokenizers.has(wordLocale))
      return (isForThread ? await thread.make(sources) : undefined) ?? now(sources)
    },
  }
}

/** No transaction waits until a thread has started, or is through with other work: it is made ready beside it. */
function readyThread(dialect: DialectName, threads: Threads) {
  let readyUntil = 0
  let isStarting = false

  const run = async (sources: readonly DocumentSource[], signal?: AbortSignal) => {
    const made = await threads.run(documentsTask, { dialect, sources }, signal ? { signal } : {})
    readyUntil = performance.now() + readyMs
    return made
  }

  async function start(): Promise<void> {
    if (isStarting) return
    isStarting = true
    await run([]).catch(() => undefined)
    isStarting = false
  }

  return {
    /** Undefined if no thread is ready. */
    async make(sources: readonly DocumentSource[]): Promise<MadeDocuments | undefined> {
      if (performance.now() > readyUntil) {
        void start()
        return undefined
      }
      try {
        return await run(sources, AbortSignal.timeout(limitMs))
      } catch {
        readyUntil = 0
        return undefined
      }
    },
  }
}
