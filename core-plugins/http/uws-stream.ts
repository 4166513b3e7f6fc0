import type { HttpResponse } from 'uWebSockets.js'
import type { Readable } from 'node:stream'

export interface Pump {
  readonly source: Readable
  readonly response: HttpResponse
  /** Bytes that were promised, if they were. */
  readonly size: number | undefined
  /** Whether the client has gone. */
  isOver(): boolean
  /** The answer is complete, or was cut. */
  onEnd(): void
}

/** Sends what `source` gives at the pace at which the client takes it. */
export function pumpToUws(pump: Pump) {
  const { source } = pump
  source.on('data', (chunk: Buffer | string) => {
    if (pump.isOver()) return
    pump.response.cork(() => sendChunk(pump, typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  })
  source.on('end', () => endPump(pump))
  source.on('error', () => cut(pump))
}

function sendChunk(pump: Pump, chunk: Buffer) {
  if (pump.size === undefined) return writeChunk(pump, chunk)
  const { response } = pump
  const offsetBefore = response.getWriteOffset()
  if (offsetBefore + chunk.length > pump.size) return cut(pump)
  if (tryToEnd(pump, chunk)) return
  pump.source.pause()
  response.onWritable((offset) => {
    const isTaken = tryToEnd(pump, chunk.subarray(offset - offsetBefore))
    if (isTaken) pump.source.resume()
    return isTaken
  })
}

function tryToEnd(pump: Pump, chunk: Buffer): boolean {
  const [isTaken, isComplete] = pump.response.tryEnd(chunk, pump.size ?? 0)
  if (isComplete) pump.onEnd()
  return isTaken
}

/** uWebSockets takes the whole chunk in any case; false only says that it should be the last for now. */
function writeChunk(pump: Pump, chunk: Buffer) {
  if (pump.response.write(chunk)) return
  pump.source.pause()
  pump.response.onWritable(() => {
    pump.source.resume()
    return true
  })
}

function endPump(pump: Pump) {
  if (pump.isOver()) return
  if (pump.size !== undefined && pump.size > 0) return cut(pump)
  pump.response.cork(() => pump.response.end())
  pump.onEnd()
}

/** Part of the answer is on its way, so a cut connection is the only way left to tell of a failure. */
function cut(pump: Pump) {
  if (pump.isOver()) return
  pump.onEnd()
  pump.source.destroy()
  pump.response.close()
}
