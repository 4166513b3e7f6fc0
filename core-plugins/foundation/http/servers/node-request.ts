import { IncomingMessage } from 'node:http'

/**
 * A request whose stream does nothing where it has no body. Otherwise node:http ends each of them for a reader that there
 * is not, which takes longer than to find an answer in memory.
 */
export class NodeRequest extends IncomingMessage {
  /** To be set once the head is known. */
  hasBody = true

  /** Called by node:http with what it reads, and with null behind it. */
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    return chunk === null && !this.hasBody ? false : super.push(chunk, encoding)
  }

  /** Called by node:http to drop what nobody has read. */
  override resume(): this {
    return this.hasBody ? super.resume() : this
  }
}
