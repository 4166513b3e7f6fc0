import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { translatedFile } from '../../../config/config.ts'
import { DatabaseError } from '../../database-error.ts'
import type { NativeOptions } from './sqlite-native.ts'

/** A request to a thread: the text of a read, and the values of its parameters in order. */
export interface SentRead {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Its answer: rows as SQLite returns them, or what went wrong. */
export type ReadAnswer =
  | { readonly rows: unknown[][] }
  | { readonly error: { readonly code: string | undefined; readonly message: string } }

export interface ReadingThreadData {
  readonly url: string
  readonly native: NativeOptions
}

interface Expected {
  resolve(rows: unknown[][]): void
  reject(error: unknown): void
}

/** A thread with its own connection that runs one read at a time, and can be ended whatever it is doing. */
export class ReadingThread {
  isClosed = false
  readonly #worker: Worker
  readonly #onClose: (thread: ReadingThread) => void
  #expected: Expected | undefined

  /** Resolves when the connection is open. @throws the error that the thread failed with */
  readonly opened: Promise<unknown>

  /** `onClose` is called when it has ended, for whatever reason. */
  constructor(native: NativeOptions, onClose: (thread: ReadingThread) => void) {
    this.#onClose = onClose
    const script = fileURLToPath(new URL('./answer-reads.ts', import.meta.url))
    const data: ReadingThreadData = { url: pathToFileURL(translatedFile(script)).href, native }
    // Otherwise it would inherit the service's Node options, such as loaders that it has no use for.
    this.#worker = new Worker(new URL('./begin-thread.mjs', import.meta.url), {
      workerData: data,
      execArgv: [],
    })
    this.#worker.unref()
    this.#worker.on('message', (answer: ReadAnswer) => this.#take(answer))
    this.#worker.on('error', (error) => this.#close(error))
    this.#worker.on('exit', () => this.#close(undefined))
    this.opened = this.#nextAnswer()
    this.opened.catch(() => undefined)
  }

  /** Call it only after the previous read was answered. */
  read(read: SentRead): Promise<unknown[][]> {
    const answer = this.#nextAnswer()
    this.#worker.postMessage(read)
    return answer
  }

  /**
   * Resolves when nothing of it runs any more. A statement ends at its next call of a JavaScript function.
   */
  async end(): Promise<void> {
    this.isClosed = true
    await this.#worker.terminate()
  }

  #nextAnswer(): Promise<unknown[][]> {
    if (this.isClosed) return Promise.reject(threadEnded(undefined))
    return new Promise((resolve, reject) => {
      this.#expected = { resolve, reject }
    })
  }

  #take(answer: ReadAnswer): void {
    const expected = this.#expected
    this.#expected = undefined
    if ('rows' in answer) expected?.resolve(answer.rows)
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
  return new DatabaseError('unavailable', 'the thread of a costly read has ended', { cause })
}
