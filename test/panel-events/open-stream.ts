import { randomUUID } from 'node:crypto'
import { type EventReader, readEventStream } from '../support/event-stream.ts'

/** What one panel is told. */
export interface OpenStream extends EventReader {
  /** The name that the stream was opened with. */
  readonly name: string
}

/** Opens the stream of whoever has the token; resolves when it is open or refused. */
export async function openStream(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const name = randomUUID()
  const reader = await readEventStream(`${url}/api/admin/events?stream=${name}`, {
    ...headers,
    authorization: `Bearer ${token}`,
  })
  if (reader.status === 200) await reader.told('hello')
  return { ...reader, name }
}
