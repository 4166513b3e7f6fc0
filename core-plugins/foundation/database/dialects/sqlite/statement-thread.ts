import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { translatedFile } from '../../../config/config.ts'
import { DatabaseError } from '../../database-error.ts'
import type { NativeOptions } from './sqlite-native.ts'

/** A request to a thread: the text of a statement, and its parameter values in order. */
export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The result of a statement: rows as SQLite returns them, or the number of changed rows if it returns none. */
export interface StatementResult {
  readonly rows: unknown[][]
  readonly changes: number
  readonly lastInsertRowid: number
}

/** The answer of a thread: a result or an error. */
export type StatementAnswer =
  | { readonly result: StatementResult }
  | { readonly error: { readonly code: string | undefined; readonly message: string } }

export interface StatementThreadData {
  readonly url: string
  readonly native: NativeOptions
}

interface Expected {
  resolve(result: StatementResult): void
  reject(error: unknown): void
}

/** A thread with its own connection that runs one statement at a time, and can be ended at any time. */
export class StatementThread {
  isClosed = false
  readonly #worker: Worker
  readonly #onClose: (thread: StatementThread) => void
  #expected: Expected | undefined

  /** Resolves when the connection is open. @throws the error that the thread failed with */
  readonly opened: Promise<unknown>

  /** `onClose` is called when the thread has ended, for any reason. */
  constructor(native: NativeOptions, onClose: (thread: StatementThread) => void) {
    this.#onClose = onClose
    const script = fileURLToPath(new URL('./answer-statements.ts', import.meta.url))
    const data: StatementThreadData = { url: pathToFileURL(translatedFile(script)).href, native }
    // Otherwise it would inherit the service's Node options, such as loaders that it does not need.
    this.#worker = new Worker(new URL('./begin-thread.mjs', import.meta.url), {
      workerData: data,
      execArgv: [],
    })
    this.#worker.unref()
    this.#worker.on('message', (answer: StatementAnswer) => this.#take(answer))
    this.#worker.on('error', (error) => this.#close(error))
    this.#worker.on('exit', () => this.#close(undefined))
    this.opened = this.#nextAnswer()
    this.opened.catch(() => undefined)
  }

  /** Call it only after the previous statement was answered. */
  run(statement: SentStatement): Promise<StatementResult> {
    const answer = this.#nextAnswer()
    this.#worker.postMessage(statement)
    return answer
  }

  /** Resolves when the thread has stopped. A running statement ends at its next call of a JavaScript function. */
  async end(): Promise<void> {
    this.isClosed = true
    await this.#worker.terminate()
  }

  #nextAnswer(): Promise<StatementResult> {
    if (this.isClosed) return Promise.reject(threadEnded(undefined))
    return new Promise((resolve, reject) => {
      this.#expected = { resolve, reject }
    })
  }

  #take(answer: StatementAnswer): void {
    const expected = this.#expected
    this.#expected = undefined
    if ('result' in answer) expected?.resolve(answer.result)
    else expected?.reject(answer.error)
  }

  #close(cause: unknown): void {
    this.isClosed = true
    this.#expected?.reject(threadEnded(cause))
    this.#expected = undefined
    this.#onClose(this)
  }
}

function threadEnded(cause: unknown): DatabaseError {
  return new DatabaseError('unavailable', 'the thread of a statement has ended', { cause })
}
