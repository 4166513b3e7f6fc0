import type { Readable } from 'node:stream'
import { MigrationError } from '../migration-error.ts'

/** Longer than any entry that an editor could still open. */
const maxLineBytes = 64 * 1024 * 1024

/** Reads the objects of a JSON lines file, with one line in memory at a time. @throws MigrationError */
export async function* readJsonLines(
  stream: Readable,
  name: string,
): AsyncGenerator<Record<string, unknown>> {
  let parts: Buffer[] = []
  let length = 0
  let line = 0
  const parse = () => {
    line += 1
    const text = Buffer.concat(parts).toString('utf8').trim()
    parts = []
    length = 0
    return text === '' ? undefined : objectIn(text, `${name}, line ${line}`)
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      start = end + 1
      const value = parse()
      if (value !== undefined) yield value
    }
    parts.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > maxLineBytes)
      throw new MigrationError(`${name}, line ${line + 1} is longer than ${maxLineBytes} bytes`)
  }
  const last = parse()
  if (last !== undefined) yield last
}

/** @throws MigrationError */
export function objectIn(text: string, place: string): Record<string, unknown> {
  const value = parsed(text, place)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new MigrationError(`${place} is no JSON object`)
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new MigrationError(`${place} is no JSON: ${(error as Error).message}`, { cause: error })
  }
}
