import { IncomingMessage } from 'node:http'

/**
 * A request whose stream does nothing if it has no body. Otherwise node:http ends each such stream for a reader that
 * does not exist, which takes longer than finding an answer in memory.
 */
export class NodeRequest extends IncomingMessage {
  /** To be set once the head is known. */
  hasBody = true

  /** Called by node:http with the chunks it reads, and with null at the end. */
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    return chunk === null && !this.hasBody ? false : super.push(chunk, encoding)
  }

  /** Called by node:http to drop unread data. */
  override resume(): this {
    return this.hasBody ? super.resume() : this
  }
}
