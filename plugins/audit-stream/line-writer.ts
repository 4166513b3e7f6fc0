import type { Log } from 'mortise/plugin'

/** Accepts lines immediately and writes them in batches, one after the other. */
export interface LineWriter {
  /** Never waits and never throws; lines that do not fit into the buffer are dropped and counted. */
  push(line: string): void
  /** Tries once more to write what remains. Never rejects. */
  close(): Promise<void>
}

export interface LineWriterOptions {
  append(text: string): Promise<void>
  readonly log: Pick<Log, 'warn'>
  /** How much may wait for a slow disk, in characters. */
  readonly maxBuffered?: number
  readonly retryAfterMs?: number
}

export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { append, log, maxBuffered = 8 * 1024 * 1024, retryAfterMs = 1_000 } = options
  let waiting: string[] = []
  let waitingLength = 0
  let dropped = 0
  let isFailing = false
  let writing: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  function push(line: string) {
    if (waitingLength + line.length > maxBuffered) {
      dropped++
      return
    }
    waiting.push(line)
    waitingLength += line.length
    if (retry === undefined) writing ??= writeAll()
  }

  async function writeAll(): Promise<void> {
    // Lines of the same turn are written in one batch.
    await new Promise(setImmediate)
    try {
      while (waiting.length > 0 || dropped > 0) await writeBatch()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the audit stream cannot be written; trying again')
      isFailing = true
      retry = setTimeout(() => {
        retry = undefined
        writing ??= writeAll()
      }, retryAfterMs).unref()
    } finally {
      writing = undefined
    }
  }

  /** A failed batch is put back at the front; part of it may have been written, so lines can occur twice. */
  async function writeBatch() {
    const batch = waiting
    const lost = dropped
    const report =
      lost === 0 ? [] : [JSON.stringify({ at: new Date().toISOString(), event: 'dropped', count: lost })]
    waiting = []
    try {
      await append(`${[...batch, ...report].join('\n')}\n`)
      waitingLength -= batch.reduce((sum, line) => sum + line.length, 0)
      dropped -= lost
    } catch (error) {
      waiting = [...batch, ...waiting]
      throw error
    }
  }

  return {
    push,
    async close() {
      await writing
      clearTimeout(retry)
      if (waiting.length === 0 && dropped === 0) return
      await writeBatch().catch((error) => {
        log.warn({ err: error, lines: waiting.length }, 'the end of the audit stream was lost')
      })
    },
  }
}
