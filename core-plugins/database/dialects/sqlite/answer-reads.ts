import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { ReadAnswer, ReadingThreadData, SentRead } from './reading-thread.ts'
import { openNative } from './sqlite-native.ts'

/* The code of a reading thread: runs the reads that it receives, one after the other. */

const maxKeptStatements = 200

const native = openNative((workerData as ReadingThreadData).native)
// Replaces SQLite's own, which is as fast but cannot be interrupted: only containment is ever tested.
native.function('instr', { deterministic: true }, (text: unknown, part: unknown) =>
  text === null || part === null ? null : String(text).indexOf(String(part)) + 1,
)
const statements = new LRUCache<string, ReturnType<typeof prepare>>({ max: maxKeptStatements })

function prepare(text: string) {
  return native.prepare<unknown[], unknown[]>(text).raw(true)
}

function answer({ text, values }: SentRead): ReadAnswer {
  try {
    const statement = statements.get(text) ?? prepare(text)
    statements.set(text, statement)
    return { rows: statement.all(...values) }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return { error: { code, message } }
  }
}

parentPort?.on('message', (read: SentRead) => parentPort?.postMessage(answer(read)))
// The connection is open.
parentPort?.postMessage({ rows: [] } satisfies ReadAnswer)
