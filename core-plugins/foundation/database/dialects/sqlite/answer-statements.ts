import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../../kernel/index.ts'
import { openNative } from './sqlite-native.ts'
import type {
  SentStatement,
  StatementAnswer,
  StatementResult,
  StatementThreadData,
} from './statement-thread.ts'

/* The code of a statement thread: runs the statements that it receives, one after the other. */

const maxKeptStatements = 200

const native = openNative((workerData as StatementThreadData).native)
// Replaces SQLite's own function, which is as fast but cannot be interrupted. Callers only test for containment, not
// for the exact position.
native.function('instr', { deterministic: true }, (text: unknown, part: unknown) =>
  text === null || part === null ? null : String(text).indexOf(String(part)) + 1,
)
const statements = new LRUCache<string, ReturnType<typeof prepare>>(upTo(maxKeptStatements))

function prepare(text: string) {
  const statement = native.prepare<unknown[], unknown[]>(text)
  return statement.reader ? statement.raw(true) : statement
}

const nothing: StatementResult = { rows: [], changes: 0, lastInsertRowid: 0 }

function run({ text, values }: SentStatement): StatementResult {
  const statement = statements.get(text) ?? prepare(text)
  statements.set(text, statement)
  if (statement.reader) return { ...nothing, rows: statement.all(...values) }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { ...nothing, changes, lastInsertRowid: Number(lastInsertRowid) }
}

function answer(sent: SentStatement): StatementAnswer {
  try {
    return { result: run(sent) }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return { error: { code, message } }
  }
}

parentPort?.on('message', (sent: SentStatement) => parentPort?.postMessage(answer(sent)))
// Reports that the connection is open.
parentPort?.postMessage({ result: nothing } satisfies StatementAnswer)
