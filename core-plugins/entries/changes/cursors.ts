import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Positions as clients keep them. */
export interface Cursors {
  cursorOf(position: number): string
  /** Undefined: it is of another log, or none. */
  positionIn(cursor: string): number | undefined
}

const algorithm = 'aes-128-ecb'
const blockBytes = 16
const textForm = /^[\w-]{22}$/

/**
 * Positions grow with every write, of whatever type, so they are encrypted: from two of them nobody learns how much was
 * written in between, nor which is the later one. Equal positions have equal cursors, so that caches can share what is
 * asked with them. A position is one block, of which the other half has to be zero: nobody can make up one.
 */
export function createCursors(epoch: string, secret: string): Cursors {
  const key = Buffer.from(secret, 'hex')
  // Blocks are independent of each other in this mode, so one cipher does for all.
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
