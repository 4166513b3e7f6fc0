import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Converts positions to and from the form in which clients keep them. */
export interface Cursors {
  cursorOf(position: number): string
  /** Undefined if the cursor belongs to another log or is invalid. */
  positionIn(cursor: string): number | undefined
}

const algorithm = 'aes-128-ecb'
const blockBytes = 16
const textForm = /^[\w-]{22}$/

/**
 * Positions grow with every write of any type, so they are encrypted: clients cannot tell from two cursors how much was written
 * in between, nor which is later. Equal positions have equal cursors, so that caches can share answers to requests with them. A
 * position is encrypted as one block whose other half must be zero, so cursors cannot be forged.
 */
export function createCursors(epoch: string, secret: string): Cursors {
  const key = Buffer.from(secret, 'hex')
  // In this mode blocks are independent of each other, so one cipher is enough.
  const encrypting = createCipheriv(algorithm, key, null).setAutoPadding(false)
  const decrypting = createDecipheriv(algorithm, key, null).setAutoPadding(false)
  const prefix = `${epoch}.`
  return {
    cursorOf(position) {
      const block = Buffer.alloc(blockBytes)
      block.writeBigUInt64BE(BigInt(position))
      return prefix + encrypting.update(block).toString('base64url')
    },
    positionIn(cursor) {
      const text = cursor.slice(prefix.length)
      if (!cursor.startsWith(prefix) || !textForm.test(text)) return undefined
      const block = decrypting.update(Buffer.from(text, 'base64url'))
      const position = Number(block.readBigUInt64BE())
      return block.readBigUInt64BE(8) === 0n && Number.isSafeInteger(position) ? position : undefined
    },
  }
}
