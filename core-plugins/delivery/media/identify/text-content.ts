import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** A text may contain tab, line breaks, form feed and escape, but no other control characters. */
const control = new Uint8Array(256)
for (let code = 0; code < 0x20; code++) control[code] = 1
for (const code of [0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]) control[code] = 0
control[0x7f] = 1

const parsedJsonBytes = 16 * 1024 * 1024

/** Whether a whole file is text, in UTF-8 or another superset of ASCII. */
export async function isText(path: string): Promise<boolean> {
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (holdsControl(chunk)) return false
  }
  return true
}

/** By index, since iterating is several times slower, which matters for a gibibyte. */
function holdsControl(bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index++) if (control[bytes[index] ?? 0] === 1) return true
  return false
}

/** Whether a file with the extension of JSON is JSON. For large files only the beginning is checked. */
export async function isJson(path: string, size: number, head: string): Promise<boolean> {
  if (size > parsedJsonBytes) return /^\uFEFF?\s*[[{]/.test(head)
  try {
    JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}
